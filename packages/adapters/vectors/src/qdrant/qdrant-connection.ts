import { QdrantClient } from '@qdrant/js-client-rest';
import { Credential, withCredential } from '@sightline/platform/resilience/credential';
import type { Guard } from '@sightline/platform/resilience/guard';
import { DomainError } from '@sightline/core/domain-error';
import { codeOf, isTransient, statusOf, unavailable } from './qdrant-failure.ts';
import type { QdrantOptions, QdrantTimeouts } from './qdrant-options.ts';

/** The default timeouts in ms. Health checks and matching must get an answer within 2 s. */
const TIMEOUTS: QdrantTimeouts = { read: 1_500, write: 30_000, change: 60_000 };
const MAX_CONNECTIONS = 64;
/**
 * Requests responses without compression. Qdrant sends a compressed response in two packets, and the second one waits
 * for the acknowledgment of the first. Operating systems delay that by 40 ms, ten times the duration of a search.
 */
const UNCOMPRESSED = { 'accept-encoding': 'identity' };
/** The HTTP statuses for an invalid key (401), and for one without a permission (403). */
const KEY_REFUSED = new Set([401, 403]);
/** The HTTP statuses for a resource that does not exist (404) or already exists (409). */
const MISSING_OR_EXISTING = new Set([404, 409]);

export type QdrantApi = ReturnType<QdrantClient['api']>;

type QdrantServer = Pick<QdrantOptions, 'url' | 'apiKey' | 'guard' | 'timeouts'>;

export interface Limits {
  readonly signal: AbortSignal | undefined;
  readonly deadline: AbortSignal;
}

type Request<T> = (
  api: QdrantApi,
  init: { readonly signal: AbortSignal; readonly headers: Readonly<Record<string, string>> },
) => Promise<{ readonly data: { readonly result?: T } }>;

/** Sends requests to one server, over connections that are kept alive. */
export class QdrantConnection {
  readonly #api: QdrantApi;
  readonly #guard: Guard;
  readonly #credential: Credential | null;
  readonly #timeouts: QdrantTimeouts;

  /** @throws RangeError if the API key is not a valid header value */
  constructor({ url, apiKey, guard, timeouts }: QdrantServer) {
    this.#guard =
      guard ?? ((operation, signal) => operation(signal ?? new AbortController().signal));
    this.#timeouts = { ...TIMEOUTS, ...timeouts };
    this.#credential = apiKey === undefined ? null : new Credential(() => apiKey().map(sendable));
    const prefix = url.pathname.replace(/\/+$/, '');
    this.#api = new QdrantClient({
      host: url.hostname,
      https: url.protocol === 'https:',
      port: portOf(url),
      ...(prefix !== '' && { prefix }),
      headers: UNCOMPRESSED,
      // With a finite timeout, the client would replace the signal of each request.
      timeout: Infinity,
      // The compatibility check would send a request at once and write to the console.
      checkCompatibility: false,
      maxConnections: MAX_CONNECTIONS,
    }).api();
  }

  /**
   * The time limit for an operation of this kind.
   *
   * @throws the signal's reason if the signal is already aborted
   */
  limits(kind: keyof QdrantTimeouts, signal?: AbortSignal): Limits {
    signal?.throwIfAborted();
    return { signal, deadline: AbortSignal.timeout(this.#timeouts[kind]) };
  }

  /**
   * Sends a request, with one retry after a transient error. Returns null if the resource does not exist or already
   * exists.
   *
   * @throws VectorsUnavailable for any error of the client, with a QdrantFailure as its cause; the signal's reason on
   *   abort, at once
   */
  async request<T>(send: Request<T>, { signal, deadline }: Limits): Promise<T | null> {
    signal?.throwIfAborted();
    try {
      return await this.#guard(async (guarded) => {
        const either = AbortSignal.any([guarded, deadline]);
        return resultOf(() => this.#attempt(send, either), deadline);
      }, signal);
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  }

  /** Sends a request, and sends it again with another valid key if the server refuses the key in use. */
  async #attempt<T>(send: Request<T>, signal: AbortSignal): ReturnType<Request<T>> {
    if (this.#credential === null) return send(this.#api, { signal, headers: {} });
    return withCredential(
      this.#credential,
      // The key is set as a header, because the client's own option for the key would write a warning to the console.
      (key) => send(this.#api, { signal, headers: { 'api-key': key } }),
      (outcome) => outcome.status === 'rejected' && isKeyRefusal(outcome.reason),
    );
  }
}

function isKeyRefusal(error: unknown): boolean {
  return KEY_REFUSED.has(statusOf(error) ?? 0);
}

async function resultOf<T>(
  attempt: () => ReturnType<Request<T>>,
  deadline: AbortSignal,
): Promise<T | null> {
  try {
    const { data } = await attemptTwice(attempt);
    if (data.result === undefined) throw unavailable('NO_QDRANT');
    return data.result;
  } catch (error) {
    if (MISSING_OR_EXISTING.has(statusOf(error) ?? 0)) return null;
    if (error instanceof DomainError) throw error;
    throw unavailable(deadline.aborted ? 'TIMEOUT' : codeOf(error));
  }
}

async function attemptTwice<T>(attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    if (!isTransient(codeOf(error))) throw error;
    return attempt();
  }
}

/** The port of the URL, or the default port of its scheme. The client's own default would be 6333. */
function portOf({ port, protocol }: URL): number {
  if (port !== '') return Number(port);
  return protocol === 'https:' ? 443 : 80;
}

/** Validates the key, because the error that `Headers` would throw contains the key. */
function sendable(apiKey: string): string {
  if (/^[\x21-\x7e]+$/.test(apiKey)) return apiKey;
  throw new RangeError(
    'The API key of Qdrant contains characters that are not allowed in a header.',
  );
}
