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

/** Short: callers learn of an outage within 2 s, which may take two requests. */
const CONNECT_TIMEOUT_MS = 750;
const SILENCE_MS = 5_000;
const MAX_SOCKETS = 256;
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

  constructor(options: S3Options) {
    this.bucket = options.bucket;
    this.silenceMs = options.silenceMs ?? SILENCE_MS;
    this.guard = options.guard ?? unguarded;
    this.#options = options;
    this.#identity = new S3Identity(options.readKeys);
    const { Agent } = options.endpoint.protocol === 'https:' ? https : http;
    this.#agent = new Agent({ keepAlive: true, maxSockets: MAX_SOCKETS });
  }

  /**
   * Calls the SDK, and retries once after a transient failure. So the work has to be idempotent.
   *
   * @throws StoreUnavailable; the signal's reason on abort
   */
  async call<T>(work: (client: Client) => Promise<T>, signal?: AbortSignal): Promise<T> {
    return withStoreErrors(
      () => this.guard((guarded) => this.#attempt(work, guarded), signal),
      signal,
    );
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }

  /** An abort ends the request, but the SDK misses that between the answer's head and its body. */
  async #attempt<T>(work: (client: Client) => Promise<T>, signal: AbortSignal): Promise<T> {
    const { keys } = this.#identity;
    try {
      return await orAbort(work(this.#client(keys, signal)), signal);
    } catch (error) {
      if (!isTransient(error) && !this.#identity.renew(error, keys)) throw error;
      await delay(PAUSE_MS, undefined, { signal });
      return orAbort(work(this.#client(this.#identity.keys, signal)), signal);
    }
  }

  /** Each call gets its own client: only the transport can carry a signal, and clients hold no state. */
  #client({ accessKey, secretKey, sessionToken }: S3Keys, signal: AbortSignal): Client {
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
      transportAgent: this.#agent,
      // The SDK's delays between retries ignore an abort.
      retryOptions: { disableRetry: true },
    });
  }
}

const unguarded: Guard = (operation, signal = new AbortController().signal) => operation(signal);
