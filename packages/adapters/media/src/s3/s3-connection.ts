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

/** The limit is short, because callers learn of an outage within 2 s, and that may take two requests. */
const CONNECT_TIMEOUT_MS = 750;
const SILENCE_MS = 5_000;
/** The limit for requests that store, list and remove, and for pings, all of which are short. */
const MAX_SOCKETS = 256;
/** The limit for requests that read objects at the speed of a client. */
const MAX_READING_SOCKETS = 1_024;
const PAUSE_MS = 100;

/** Sends requests to one bucket over kept-alive connections. */
export class S3Connection implements Disposable {
  readonly bucket: string;
  readonly silenceMs: number;
  /** Wraps every wait for the store. */
  readonly guard: Guard;
  readonly clock = new StoreClock();
  readonly #options: S3Options;
  readonly #identity: S3Identity;
  readonly #agent: http.Agent;
  /** A separate agent, so that slow readers leave connections for all other requests. */
  readonly #readingAgent: http.Agent;

  constructor(options: S3Options) {
    this.bucket = options.bucket;
    this.silenceMs = options.silenceMs ?? SILENCE_MS;
    this.guard = options.guard ?? unguarded;
    this.#options = options;
    this.#identity = new S3Identity(options.readKeys);
    const { Agent } = options.endpoint.protocol === 'https:' ? https : http;
    const { maxReadingSockets = MAX_READING_SOCKETS } = options;
    this.#agent = new Agent({ keepAlive: true, maxSockets: MAX_SOCKETS });
    this.#readingAgent = new Agent({ keepAlive: true, maxSockets: maxReadingSockets });
  }

  /**
   * Calls the SDK, and retries once after a transient failure. So the work has to be idempotent.
   *
   * @throws StoreUnavailable; the signal's reason on abort
   */
  call<T>(work: (client: Client) => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.#send({ work, agent: this.#agent }, signal);
  }

  /** As {@link call}, for an answer that is read at the speed of a client. */
  read<T>(work: (client: Client) => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.#send({ work, agent: this.#readingAgent }, signal);
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
    this.#readingAgent.destroy();
  }

  #send<T>(sending: Sending<T>, signal?: AbortSignal): Promise<T> {
    return withStoreErrors(
      () => this.guard((guarded) => this.#attempt(sending, guarded), signal),
      signal,
    );
  }

  /** An abort ends the request, but the SDK misses that between the answer's head and its body. */
  async #attempt<T>({ work, agent }: Sending<T>, signal: AbortSignal): Promise<T> {
    const { keys } = this.#identity;
    const attempt = (by: S3Keys): Promise<T> =>
      orAbort(work(this.#client(by, agent, signal)), signal);
    try {
      return await attempt(keys);
    } catch (error) {
      if (!isTransient(error) && !this.#identity.renew(error, keys)) throw error;
      await delay(PAUSE_MS, undefined, { signal });
      return attempt(this.#identity.keys);
    }
  }

  /** Each call gets its own client: only the transport can carry a signal, and clients hold no state. */
  #client(keys: S3Keys, agent: http.Agent, signal: AbortSignal): Client {
    const { accessKey, secretKey, sessionToken } = keys;
    const { endpoint, region, virtualHosts = false } = this.#options;
    const { connectTimeoutMs = CONNECT_TIMEOUT_MS } = this.#options;
    const limits = { connectTimeoutMs, silenceMs: this.silenceMs, signal, clock: this.clock };
    return new Client({
      endPoint: endpoint.hostname.replace(/^\[|\]$/g, ''),
      ...(endpoint.port !== '' && { port: Number(endpoint.port) }),
      useSSL: endpoint.protocol === 'https:',
      // Given a region, the SDK does not ask the store for the bucket's.
      region,
      pathStyle: !virtualHosts,
      accessKey,
      secretKey,
      ...(sessionToken != null && { sessionToken }),
      // The SDK uses one overload of node's `request`; its type wants all of them.
      transport: timedTransport(endpoint.protocol, limits) as ClientOptions['transport'],
      transportAgent: agent,
      // The SDK's delays between retries ignore an abort.
      retryOptions: { disableRetry: true },
    });
  }
}

interface Sending<T> {
  readonly work: (client: Client) => Promise<T>;
  readonly agent: http.Agent;
}

const unguarded: Guard = (operation, signal = new AbortController().signal) => operation(signal);
