import { optionalText, variable } from '../variable.ts';

/** The variables of a process that fetches one model into the model store. */
export const FETCH_VARIABLES = {
  fetch: variable({
    name: 'SIGHTLINE_FETCH',
    description:
      'The model to fetch and its source, as JSON, written by the operator; credentials are in files',
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
