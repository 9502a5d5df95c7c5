import { variable, wholeNumber } from '../variable.ts';

export const START_VARIABLES = {
  startTimeout: variable({
    name: 'SIGHTLINE_START_TIMEOUT',
    description: 'Seconds for which a starting process waits for external services',
    default: '60',
    schema: wholeNumber(0, 3_600),
  }),
};
