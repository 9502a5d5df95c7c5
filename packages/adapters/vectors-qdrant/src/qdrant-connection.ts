import { QdrantClient } from '@qdrant/js-client-rest';
import type { Guard } from '@sightline/platform/resilience/guard';
import { DomainError } from '@sightline/core/domain-error';
import { codeOf, isPassing, statusOf, unavailable } from './qdrant-failure.ts';
import type { QdrantOptions, QdrantTimeouts } from './qdrant-options.ts';

/** Answers of health checks and matching are to come within 2 s, also where there is no guard. */
const TIMEOUTS: QdrantTimeouts = { read: 1_500, write: 30_000, change: 60_000 };
const MAX_CONNECTIONS = 64;
/**
 * A compressed answer comes in pieces, and the server holds the second one back until the first is
 * acknowledged, which systems do 40 ms later: ten times what a search takes.
 */
const PLAIN = { 'accept-encoding': 'identity' };
/** What is named is not there, or is there already. */
const REFUSALS = new Set([404, 409]);

export type QdrantApi = ReturnType<QdrantClient['api']>;

type QdrantServer = Pick<QdrantOptions, 'url' | 'apiKey' | 'guard' | 'timeouts'>;

/** How long a call may take, and who may end it. */
export interface Limits {
  /** The caller's. */
  readonly signal: AbortSignal | undefined;
  readonly deadline: AbortSignal;
}

type Request<T> = (
  api: QdrantApi,
  init: { readonly signal: AbortSignal },
) => Promise<{ readonly data: { readonly result?: T } }>;

/** Requests to one server over connections that are kept. */
export class QdrantConnection {
  readonly #api: QdrantApi;
  readonly #guard: Guard;
  readonly #timeouts: QdrantTimeouts;

  /** @throws RangeError if the API key cannot be sent */
  constructor({ url, apiKey, guard, timeouts }: QdrantServer) {
    this.#guard =
      guard ?? ((operation, signal) => operation(signal ?? new AbortController().signal));
    this.#timeouts = { ...TIMEOUTS, ...timeouts };
    const prefix = url.pathname.replace(/\/+$/, '');
    this.#api = new QdrantClient({
      ...{ host: url.hostname, https: url.protocol === 'https:', port: portOf(url) },
      ...(prefix !== '' && { prefix }),
      // The key here too: the client's own option for it would write a warning to the console.
      headers: { ...PLAIN, ...(apiKey !== undefined && { 'api-key': sendable(apiKey) }) },
      // The client would replace the signal of a request by its own.
      timeout: Infinity,
      // It would ask the server at once, and write to the console.
      checkCompatibility: false,
      maxConnections: MAX_CONNECTIONS,
    }).api();
  }

  /** @throws the signal's reason if it is aborted already */
  limits(kind: keyof QdrantTimeouts, signal?: AbortSignal): Limits {
    signal?.throwIfAborted();
    return { signal, deadline: AbortSignal.timeout(this.#timeouts[kind]) };
  }

  /**
   * The result of a request, which may be made twice; null where what it names is not there, or is
   * there already.
   *
   * @throws VectorsUnavailable for whatever the client throws, with a QdrantFailure as its cause; the
   *   signal's reason as soon as it aborts
   */
  async ask<T>(request: Request<T>, { signal, deadline }: Limits): Promise<T | null> {
    signal?.throwIfAborted();
    try {
      return await this.#guard(async (guarded) => {
        const init = { signal: AbortSignal.any([guarded, deadline]) };
        return answerOf(() => request(this.#api, init), deadline);
      }, signal);
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  }
}

async function answerOf<T>(
  attempt: () => ReturnType<Request<T>>,
  deadline: AbortSignal,
): Promise<T | null> {
  try {
    const { data } = await attemptTwice(attempt);
    if (data.result === undefined) throw unavailable('NO_QDRANT');
    return data.result;
  } catch (error) {
    if (REFUSALS.has(statusOf(error) ?? 0)) return null;
    if (error instanceof DomainError) throw error;
    throw unavailable(deadline.aborted ? 'TIMEOUT' : codeOf(error));
  }
}

async function attemptTwice<T>(attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    if (!isPassing(codeOf(error))) throw error;
    return attempt();
  }
}

/** Addresses have the port that their scheme means; the client would take 6333. */
function portOf({ port, protocol }: URL): number {
  if (port !== '') return Number(port);
  return protocol === 'https:' ? 443 : 80;
}

/** An error of `Headers` would say the key. */
function sendable(apiKey: string): string {
  if (/^[\x21-\x7e]+$/.test(apiKey)) return apiKey;
  throw new RangeError('The API key of Qdrant holds characters that no header takes.');
}
