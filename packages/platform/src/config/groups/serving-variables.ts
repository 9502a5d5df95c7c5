import { optionalText, variable } from '../variable.ts';

export const SERVING_VARIABLES = {
  servingFile: variable({
    name: 'SIGHTLINE_SERVING_FILE',
    description:
      'File that lists the models for this process to load, written by the operator; the process applies changes of the file. If set, the process ignores the models folder and the requests of other processes to load models',
    default: null,
    schema: optionalText(),
  }),
};
