import { variable, wholeNumber } from '../variable.ts';

/** What processes read that use external services. */
export const START_VARIABLES = {
  startTimeout: variable({
    name: 'SIGHTLINE_START_TIMEOUT',
    description: 'Seconds that a start waits for external services that do not answer yet',
    default: '60',
    schema: wholeNumber(0, 3_600),
  }),
};
