import { variable, wholeNumber } from '../variable.ts';

/** What processes read that answer requests. */
export const SERVER_VARIABLES = {
  port: variable({
    name: 'SIGHTLINE_PORT',
    description: 'Port of the API or of an inference process; 0: any free port',
    default: '8080',
    schema: wholeNumber(0, 65_535),
  }),
};
