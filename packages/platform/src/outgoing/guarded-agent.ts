import { Agent, buildConnector } from 'undici';
import { type Reach, TargetGuard, type TargetRules } from './target-guard.ts';

const CONNECT_TIMEOUT_MS = 10_000;

/**
 * An HTTP agent whose every connection goes to an address that was checked for that very
 * connection: a name is resolved once, so it cannot point elsewhere between check and use. It uses
 * no proxy, no cookies and no redirects.
 */
export function createGuardedAgent(rules: TargetRules, reach: Reach): Agent {
  const guard = new TargetGuard(rules, reach);
  const connect: buildConnector.connector = (options, callback) => {
    guard.allowedAddresses({ host: options.hostname, port: portOf(options) }).then(
      (addresses) => {
        const connectTo = buildConnector({
          timeout: CONNECT_TIMEOUT_MS,
          lookup: (_hostname, _options, found) => found(null, [...addresses]),
          autoSelectFamily: true,
        });
        connectTo(options, callback);
      },
      (error: unknown) => callback(error as Error, null),
    );
  };
  // The caller limits the time of the whole request.
  return new Agent({ connect, headersTimeout: 0, bodyTimeout: 0 });
}

function portOf({ port, protocol }: buildConnector.Options): number {
  if (port !== '') return Number(port);
  return protocol === 'https:' ? 443 : 80;
}
