import { Agent, buildConnector, type Dispatcher, ProxyAgent } from 'undici';
import { filterHeads } from './filter-heads.ts';
import type { NameLookups, Sender } from './name-lookups.ts';
import type { Proxies } from './proxies.ts';
import { type Endpoint, type Reach, TargetGuard, type TargetRules } from './target-guard.ts';
import { portOf, withoutBrackets } from './url-endpoint.ts';

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
  readonly #proxies: Proxies | null;
  readonly #agent: Agent;
  /** The agents of requests through a proxy, by the URL of the proxy. */
  readonly #proxyAgents = new Map<string, ProxyAgent>();
  /** The guard of what is known of a target before its name is resolved. */
  readonly #unresolved: TargetGuard;

  constructor({ names, proxies, ...rules }: GuardedAgentRules, reach: Reach) {
    this.#names = names;
    this.#proxies = proxies;
    const resolveTarget = (host: string) => names.addressesOf(host);
    const guard = new TargetGuard({ ...rules, resolveTarget }, reach);
    const addressesFor = async (options: buildConnector.Options) => {
      // undici opens another connection for a request that was aborted on its connection.
      names.requireNeeded(withoutBrackets(options.hostname));
      return guard.allowedAddresses({ host: options.hostname, port: portOf(options) });
    };
    const connect: buildConnector.connector = (options, callback) => {
      addressesFor(options).then(
        (addresses) => {
          const connectTo = buildConnector({
            timeout: CONNECT_TIMEOUT_MS,
            lookup: (_hostname, _options, found) => found(null, [...addresses]),
            autoSelectFamily: true,
          });
          connectTo(options, (...[error, socket]: Parameters<buildConnector.Callback>) => {
            if (error) callback(error, null);
            else callback(null, filterHeads(socket));
          });
        },
        (error: unknown) => callback(error as Error, null),
      );
    };
    this.#agent = new Agent({ connect });
    this.#unresolved = new TargetGuard(
      { ...rules, resolveTarget: () => Promise.resolve([]) },
      reach,
    );
  }

  /**
   * Checks a target without a lookup of its name.
   *
   * @throws TargetRefused; the resolver's error for the name of an own endpoint
   */
  async check(target: Endpoint): Promise<void> {
    await this.#unresolved.allowedAddresses(target);
  }

  /** Sends a request. Rejects as soon as the sender's signal aborts, also while no connection is open. */
  async request(
    { host, ...request }: GuardedRequest,
    sender: Sender,
  ): Promise<Dispatcher.ResponseData> {
    // There are no timeouts here, because the caller limits the time of the whole request. They are turned off for each
    // request, because an agent does not pass its own timeouts to a proxy.
    const options = { ...request, signal: sender.signal, headersTimeout: 0, bodyTimeout: 0 };
    return this.#names.during(host, sender, async () => {
      if (this.#proxies === null) return this.#agent.request(options);
      const url = new URL(request.origin);
      const proxy = this.#proxies.for(url);
      if (proxy === null) return this.#agent.request(options);
      await this.check({ host, port: portOf(url) });
      sender.signal.throwIfAborted();
      return this.#through(proxy).request(options);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const agents = [this.#agent, ...this.#proxyAgents.values()];
    await Promise.all(agents.map((agent) => agent.destroy()));
  }

  #through(uri: string): ProxyAgent {
    // Many proxies allow tunnels to port 443 only.
    const agent = this.#proxyAgents.get(uri) ?? new ProxyAgent({ uri, proxyTunnel: false });
    this.#proxyAgents.set(uri, agent);
    return agent;
  }
}
