import { optionalText, variable } from '../variable.ts';

/** What an inference process reads that is told by a file what to hold. */
export const SERVING_VARIABLES = {
  servingFile: variable({
    name: 'SIGHTLINE_SERVING_FILE',
    description:
      'File that names the models which this process is to hold, and may change while it runs; the operator writes it. If set, neither the models folder nor other processes decide',
    default: null,
    schema: optionalText(),
  }),
};
