import { isatty } from 'node:tty';
import { z } from 'zod';
import { isNetwork } from '../../outgoing/address-rules.ts';
import { usableMemory } from '../usable-memory.ts';
import { size, variable, wholeNumber } from '../variable.ts';

const MIB = 1024 ** 2;

export const SERVER_VARIABLES = {
  port: variable({
    name: 'SIGHTLINE_PORT',
    description: 'Port of the API or of an inference process; 0: any free port',
    default: '8080',
    schema: wholeNumber(0, 65_535),
  }),
  bodyMemory: variable({
    name: 'SIGHTLINE_BODY_MEMORY',
    description:
      'Memory for the bodies of all requests in progress, for images that they fetch or read from a batch, and for large answers that wait for slow clients; one environment may use half of the memory and one key a third; further requests are refused with 429',
    default: () => String(bodyMemoryOf(usableMemory())),
    defaultShown: 'a quarter of the memory that the process may use, from 256MiB to 1GiB',
    schema: size(),
  }),
  maxConnections: variable({
    name: 'SIGHTLINE_MAX_CONNECTIONS',
    description:
      'Maximum number of connections to SIGHTLINE_PORT; one address may have a third of those to the API, and less while many are open; a further connection replaces an idle one, or is closed immediately',
    default: '2000',
    schema: wholeNumber(1, 100_000),
  }),
  maxWaiting: variable({
    name: 'SIGHTLINE_MAX_WAITING',
    description:
      'Maximum number of requests of one process that wait for changes (wait of GET /api/changes), each of which keeps a connection open; at most 20 of an environment and 5 of a key or account; further ones are answered immediately',
    default: '500',
    schema: wholeNumber(0, 100_000),
  }),
  trustedProxies: variable({
    name: 'SIGHTLINE_TRUSTED_PROXIES',
    description:
      'Addresses or networks of reverse proxies in front of the API, such as 10.0.0.0/8, separated by commas; their connections are neither limited by address nor closed to make room, and instead the requests in progress of each client are limited, whose address they append to X-Forwarded-For',
    default: null,
    schema: z
      .string()
      .transform((text) => text.split(',').map((network) => network.trim()))
      .refine(
        (networks) => networks.every(isNetwork),
        'has to be an IP address or a network such as 10.0.0.0/8, or several of them separated by commas',
      )
      .nullable(),
  }),
  drainSeconds: variable({
    name: 'SIGHTLINE_DRAIN_SECONDS',
    description:
      'Seconds for which a stopping process still accepts requests while it reports that it is not ready, so that load balancers and clients switch to other processes; the process then ends within 20 seconds',
    // At a terminal the default is 0, so that the process ends quickly after Ctrl-C.
    default: () => (isatty(0) || isatty(1) ? '0' : '5'),
    defaultShown: '5; 0 at a terminal',
    schema: wholeNumber(0, 3_600),
  }),
};

/**
 * The default memory for the bodies of all requests together, in bytes. The share of one key is a third, so the
 * minimum of 256 MiB has room for two images of 25 MiB.
 */
function bodyMemoryOf(usable: number): number {
  return Math.min(Math.max(Math.floor(usable / 4), 256 * MIB), 1024 * MIB);
}
