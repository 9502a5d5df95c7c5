import http from 'node:http';
import https from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import type { Guard } from '@sightline/platform/resilience/guard';
import { orAbort } from '@sightline/platform/resilience/or-abort';
import { Client, type ClientOptions } from 'minio';
import { isTransient, withStoreErrors } from './s3-error.ts';
import { S3Identity } from './s3-identity.ts';
import type { S3Keys, S3Options } from './s3-options.ts';
import { StoreClock } from './store-clock.ts';
import { timedTransport } from './timed-transport.ts';
import { TunnelAgent } from './tunnel-agent.ts';

/**
 * The timeout for connecting, in ms. It is short, so that callers learn of an outage within 2 s, even if an operation
 * sends two requests.
 */
const CONNECT_TIMEOUT_MS = 750;
const SILENCE_MS = 5_000;
/** The most connections for short requests: those that store, list and remove objects, and pings. */
const MAX_SOCKETS = 256;
/** The most connections for requests that read objects, which last as long as the client reads. */
const MAX_READING_SOCKETS = 1_024;
const PAUSE_MS = 100;

export class S3Connection implements Disposable {
  readonly bucket: string;
  readonly silenceMs: number;
  /** Wraps each wait for the store, and throws at once while the store is known to be down. */
  readonly guard: Guard;
  readonly clock = new StoreClock();
  readonly #options: S3Options;
  readonly #identity: S3Identity;
  readonly #agent: http.Agent;
  /** The agent of requests that read objects. It is separate, because slow clients may use all of its connections. */
  readonly #readingAgent: http.Agent;

  constructor(options: S3Options, identity = new S3Identity(options.keys)) {
    this.bucket = options.bucket;
    this.silenceMs = options.silenceMs ?? SILENCE_MS;
    this.guard = options.guard ?? unguarded;
    this.#options = options;
    this.#identity = identity;
    const { maxReadingSockets = MAX_READING_SOCKETS } = options;
    this.#agent = this.#open(MAX_SOCKETS);
    this.#readingAgent = this.#open(maxReadingSockets);
  }

  /**
   * Calls the SDK, and retries once after a transient failure. The work must be idempotent.
   *
   * @throws StoreUnavailable; the signal's reason on abort
   */
  call<T>(work: (client: Client) => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.#send({ work, agent: this.#agent }, signal);
  }

  /** Does the same as {@link call}, for a response whose body is passed on to a client, which may read slowly. */
  read<T>(work: (client: Client) => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.#send({ work, agent: this.#readingAgent }, signal);
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
    this.#readingAgent.destroy();
  }

  #open(maxSockets: number): http.Agent {
    const { endpoint, virtualHosts = false, proxies } = this.#options;
    const host = virtualHosts ? `${this.bucket}.${endpoint.host}` : endpoint.host;
    const proxy = proxies?.for(new URL(`${endpoint.protocol}//${host}`)) ?? null;
    const options = { keepAlive: true, maxSockets };
    if (endpoint.protocol === 'http:') {
      return new http.Agent({ ...options, ...(proxy && { proxyEnv: { HTTP_PROXY: proxy } }) });
    }
    if (proxy === null) return new https.Agent(options);
    return new TunnelAgent({ ...options, proxy, timeoutMs: this.silenceMs });
  }

  #send<T>(sending: Sending<T>, signal?: AbortSignal): Promise<T> {
    return withStoreErrors(
      () => this.guard((guarded) => this.#attempt(sending, guarded), signal),
      signal,
    );
  }

  /** Races the SDK against the signal, because the SDK misses an abort between the head and the body of an answer. */
  async #attempt<T>({ work, agent }: Sending<T>, signal: AbortSignal): Promise<T> {
    const identity = this.#identity;
    const keys = await orAbort(identity.keys(), signal);
    const attempt = (by: S3Keys): Promise<T> =>
      orAbort(work(this.#client(by, agent, signal)), signal);
    try {
      return await attempt(keys);
    } catch (error) {
      if (!isTransient(error) && !(await orAbort(identity.renew(error, keys), signal))) throw error;
      await delay(PAUSE_MS, undefined, { signal });
      return attempt(await orAbort(identity.keys(), signal));
    }
  }

  /** Creates a client for one call, because the call's signal can only be passed in a client's transport. */
  #client(keys: S3Keys, agent: http.Agent, signal: AbortSignal): Client {
    const { accessKey, secretKey, sessionToken } = keys;
    const { endpoint, region, virtualHosts = false } = this.#options;
    const { connectTimeoutMs = CONNECT_TIMEOUT_MS } = this.#options;
    const limits = { connectTimeoutMs, silenceMs: this.silenceMs, signal, clock: this.clock };
    return new Client({
      endPoint: endpoint.hostname.replace(/^\[|\]$/g, ''),
      ...(endpoint.port !== '' && { port: Number(endpoint.port) }),
      useSSL: endpoint.protocol === 'https:',
      // Without a region, the SDK would first request the region of the bucket.
      region,
      pathStyle: !virtualHosts,
      accessKey,
      secretKey,
      ...(sessionToken != null && { sessionToken }),
      // The SDK's type requires all overloads of Node's `request`, but the SDK calls only one.
      transport: timedTransport(endpoint.protocol, limits) as ClientOptions['transport'],
      transportAgent: agent,
      // The SDK's own retries would ignore an abort.
      retryOptions: { disableRetry: true },
    });
  }
}

interface Sending<T> {
  readonly work: (client: Client) => Promise<T>;
  readonly agent: http.Agent;
}

const unguarded: Guard = (operation, signal = new AbortController().signal) => operation(signal);
