import { isatty } from 'node:tty';
import { variable, wholeNumber } from '../variable.ts';

/** What processes read that answer requests. */
export const SERVER_VARIABLES = {
  port: variable({
    name: 'SIGHTLINE_PORT',
    description: 'Port of the API or of an inference process; 0: any free port',
    default: '8080',
    schema: wholeNumber(0, 65_535),
  }),
  maxConnections: variable({
    name: 'SIGHTLINE_MAX_CONNECTIONS',
    description: 'Maximum number of connections to that port; further ones are closed at once',
    default: '2000',
    schema: wholeNumber(1, 100_000),
  }),
  drainSeconds: variable({
    name: 'SIGHTLINE_DRAIN_SECONDS',
    description:
      'Seconds that a stopping process still accepts requests while it reports that it is not ready, so that load balancers and clients turn to others. It ends within 20 seconds more',
    // A person who presses Ctrl-C waits for the end.
    default: () => (isatty(0) || isatty(1) ? '0' : '5'),
    defaultShown: '5; 0 at a terminal',
    schema: wholeNumber(0, 3_600),
  }),
};
