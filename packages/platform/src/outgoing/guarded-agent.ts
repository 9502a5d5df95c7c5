import { Agent, buildConnector, type Dispatcher, EnvHttpProxyAgent } from 'undici';
import type { NameLookups, Sender } from './name-lookups.ts';
import type { Proxies } from './proxies.ts';
import { skipContinue } from './skip-continue.ts';
import { type Reach, TargetGuard, type TargetRules } from './target-guard.ts';

const CONNECT_TIMEOUT_MS = 10_000;

export interface GuardedAgentRules extends Pick<TargetRules, 'ownEndpoints' | 'resolveOwn'> {
  readonly names: NameLookups;
  /** The proxies of all requests; null if requests use none. */
  readonly proxies: Proxies | null;
}

/** A request, with the host of its origin. */
export interface GuardedRequest extends Omit<Dispatcher.RequestOptions, 'origin'> {
  readonly origin: string;
  readonly host: string;
}

/**
 * An HTTP agent that checks the address of each connection. A host name is resolved only once per connection, so that
 * DNS cannot return another address between the check and the use. The agent uses no cookies, and does not follow
 * redirects.
 *
 * A proxy resolves names itself, and often it alone can. So of a target behind a proxy only a literal address is checked,
 * and that it is no own endpoint; where names may lead is up to the proxy.
 */
export class GuardedAgent implements AsyncDisposable {
  readonly #names: NameLookups;
  readonly #agent: Dispatcher;
  /** The guard of what is known of a target before a proxy resolves its name; null without proxies. */
  readonly #unresolved: TargetGuard | null;

  constructor({ names, proxies, ...rules }: GuardedAgentRules, reach: Reach) {
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
    const options = { connect, headersTimeout: 0, bodyTimeout: 0 };
    this.#agent = proxies === null ? new Agent(options) : proxyAgent(options, proxies);
    this.#unresolved =
      proxies && new TargetGuard({ ...rules, resolveTarget: () => Promise.resolve([]) }, reach);
  }

  /** Sends a request. Rejects as soon as the sender's signal aborts, also while no connection is open. */
  async request(
    { host, ...request }: GuardedRequest,
    sender: Sender,
  ): Promise<Dispatcher.ResponseData> {
    const options = { ...request, signal: sender.signal };
    await this.#unresolved?.allowedAddresses({ host, port: portOf(new URL(request.origin)) });
    return this.#names.during(host, sender, () => this.#agent.request(options));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#agent.destroy();
  }
}

/** Requests without a proxy have the given options; the agents of undici connect to proxies themselves. */
function proxyAgent(options: Agent.Options, proxies: Proxies): Dispatcher {
  return new EnvHttpProxyAgent({
    ...options,
    httpProxy: proxies.HTTP_PROXY,
    httpsProxy: proxies.HTTPS_PROXY,
    noProxy: proxies.NO_PROXY,
    // Many proxies allow tunnels to port 443 only.
    proxyTunnel: false,
  });
}

function portOf({ port, protocol }: Pick<buildConnector.Options, 'port' | 'protocol'>): number {
  if (port !== '') return Number(port);
  return protocol === 'https:' ? 443 : 80;
}
