import { Agent, buildConnector } from 'undici';
import { type Reach, TargetGuard, type TargetRules } from './target-guard.ts';

const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Creates an HTTP agent that checks the address of each connection. A host name is resolved only once per connection,
 * so that DNS cannot return another address between the check and the use. The agent uses no proxy and no cookies,
 * and does not follow redirects.
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
  // The agent has no timeouts, because the caller limits the time of the whole request.
  return new Agent({ connect, headersTimeout: 0, bodyTimeout: 0 });
}

function portOf({ port, protocol }: buildConnector.Options): number {
  if (port !== '') return Number(port);
  return protocol === 'https:' ? 443 : 80;
}
