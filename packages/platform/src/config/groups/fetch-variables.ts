import { optionalText, variable } from '../variable.ts';

/** What a process reads that fetches one model into the store of models. */
export const FETCH_VARIABLES = {
  fetch: variable({
    name: 'SIGHTLINE_FETCH',
    description:
      'Which model to fetch, and from where, as JSON; the operator writes it. Credentials are files',
    default: null,
    schema: optionalText(),
  }),
  terminationLog: variable({
    name: 'SIGHTLINE_TERMINATION_LOG',
    description: 'File that gets the result as JSON, at most 4 KiB',
    default: '/dev/termination-log',
    schema: optionalText(),
  }),
};
