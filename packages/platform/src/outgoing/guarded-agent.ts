import { Agent, buildConnector, type Dispatcher } from 'undici';
import type { NameLookups, Sender } from './name-lookups.ts';
import { skipContinue } from './skip-continue.ts';
import { type Reach, TargetGuard, type TargetRules } from './target-guard.ts';

const CONNECT_TIMEOUT_MS = 10_000;

export interface GuardedAgentRules extends Pick<TargetRules, 'ownEndpoints' | 'resolveOwn'> {
  readonly names: NameLookups;
}

/** A request, with the host of its origin. */
export interface GuardedRequest extends Omit<Dispatcher.RequestOptions, 'origin'> {
  readonly origin: string;
  readonly host: string;
}

/**
 * An HTTP agent that checks the address of each connection. A host name is resolved only once per connection, so that
 * DNS cannot return another address between the check and the use. The agent uses no proxy and no cookies, and does not
 * follow redirects.
 */
export class GuardedAgent implements AsyncDisposable {
  readonly #names: NameLookups;
  readonly #agent: Agent;

  constructor({ names, ...rules }: GuardedAgentRules, reach: Reach) {
    this.#names = names;
    const resolveTarget = (host: string) => names.addressesOf(host);
    const guard = new TargetGuard({ ...rules, resolveTarget }, reach);
    const connect: buildConnector.connector = (options, callback) => {
      guard.allowedAddresses({ host: options.hostname, port: portOf(options) }).then(
        (addresses) => {
          const connectTo = buildConnector({
            timeout: CONNECT_TIMEOUT_MS,
            lookup: (_hostname, _options, found) => found(null, [...addresses]),
            autoSelectFamily: true,
          });
          connectTo(options, (...[error, socket]: Parameters<buildConnector.Callback>) => {
            if (error) callback(error, null);
            else callback(null, skipContinue(socket));
          });
        },
        (error: unknown) => callback(error as Error, null),
      );
    };
    // The agent has no timeouts, because the caller limits the time of the whole request.
    this.#agent = new Agent({ connect, headersTimeout: 0, bodyTimeout: 0 });
  }

  /** Sends a request. Rejects as soon as the sender's signal aborts, also while no connection is open. */
  request({ host, ...request }: GuardedRequest, sender: Sender): Promise<Dispatcher.ResponseData> {
    const options = { ...request, signal: sender.signal };
    return this.#names.during(host, sender, () => this.#agent.request(options));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#agent.destroy();
  }
}

function portOf({ port, protocol }: buildConnector.Options): number {
  if (port !== '') return Number(port);
  return protocol === 'https:' ? 443 : 80;
}
