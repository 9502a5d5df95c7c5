import { orAbort } from '../resilience/or-abort.ts';
import type { Resolve, ResolvedAddress } from './target-guard.ts';

/** The sender of a request that may need the addresses of a host. */
export interface Sender {
  /** The environment for which the request is sent; null stands for the installation itself. */
  readonly environmentId: number | null;
  /** Aborts when the request ends early. */
  readonly signal: AbortSignal;
}

/** The most lookups of one environment that wait for an answer at the same time. */
const MAX_UNANSWERED = 2;

interface Request extends Pick<Sender, 'environmentId'> {
  /** Aborts when the request needs no connection anymore. */
  readonly ended: AbortSignal;
}

/**
 * Looks up the hosts of callers for connections that are about to be opened. A pool of connections belongs to all
 * requests to its origin, and knows neither whose request it opens a connection for nor when that request ends. So each
 * request is registered here while it may need a connection, and a lookup belongs to one of the registered requests: it
 * counts for that request's environment, and ends with the request.
 */
export class NameLookups {
  readonly #resolve: Resolve;
  readonly #requests = new Map<string, Set<Request>>();
  readonly #turns = new Map<Sender['environmentId'], Turns>();

  constructor(resolve: Resolve) {
    this.#resolve = resolve;
  }

  /**
   * Sends a request that may need the addresses of a host.
   *
   * @throws the error of `send`; the signal's reason as soon as the signal aborts
   */
  async during<T>(
    host: string,
    { environmentId, signal }: Sender,
    send: () => Promise<T>,
  ): Promise<T> {
    const ended = new AbortController();
    const request = { environmentId, ended: ended.signal };
    const requests = this.#requests.get(host) ?? new Set();
    this.#requests.set(host, requests.add(request));
    try {
      return await orAbort(send(), signal);
    } finally {
      requests.delete(request);
      if (requests.size === 0) this.#requests.delete(host);
      ended.abort();
    }
  }

  /** @throws Error unless a request that is registered for the host may still need a connection */
  requireNeeded(host: string): void {
    if (!this.#requests.has(host)) throw new Error('No request needs the connection anymore.');
  }

  /**
   * Looks up a host on behalf of a request that is registered for it. If that request ends first, another one takes its
   * place.
   *
   * @throws the resolver's error; an error if no request needs the host anymore
   */
  async addressesOf(host: string): Promise<readonly ResolvedAddress[]> {
    for (;;) {
      this.requireNeeded(host);
      const request = this.#choose(host);
      try {
        return await this.#lookUp(host, request);
      } catch (error) {
        if (!request.ended.aborted) throw error;
      }
    }
  }

  /**
   * Chooses the newest request, because a new request opens its connection at once. A request whose environment has a
   * free lookup comes first, so that no environment waits for the lookups of another one.
   */
  #choose(host: string): Request {
    const newestFirst = [...this.#requests.get(host)!].toReversed();
    const isFree = ({ environmentId }: Request) => this.#turns.get(environmentId)?.isFull !== true;
    return newestFirst.find(isFree) ?? newestFirst[0]!;
  }

  async #lookUp(
    host: string,
    { environmentId, ended }: Request,
  ): Promise<readonly ResolvedAddress[]> {
    const turns = this.#turns.get(environmentId) ?? new Turns();
    this.#turns.set(environmentId, turns);
    try {
      return await turns.run(() => this.#resolve(host, ended), ended);
    } finally {
      if (turns.isIdle) this.#turns.delete(environmentId);
    }
  }
}

/** Runs at most {@link MAX_UNANSWERED} lookups at the same time, and the others in the order of their arrival. */
class Turns {
  #running = 0;
  readonly #waiting = new Set<() => void>();

  get isIdle(): boolean {
    return this.#running === 0;
  }

  get isFull(): boolean {
    return this.#running === MAX_UNANSWERED;
  }

  async run<T>(lookUp: () => Promise<T>, signal: AbortSignal): Promise<T> {
    if (this.isFull) await this.#wait(signal);
    else this.#running++;
    try {
      return await orAbort(lookUp(), signal);
    } finally {
      // The next lookup takes over the place of this one, so the count stays the same.
      const [next] = this.#waiting;
      if (next === undefined) this.#running--;
      else next();
    }
  }

  #wait(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<undefined>();
    const start = (): void => {
      signal.removeEventListener('abort', abort);
      this.#waiting.delete(start);
      resolve(undefined);
    };
    const abort = (): void => {
      this.#waiting.delete(start);
      reject(signal.reason);
    };
    signal.addEventListener('abort', abort, { once: true });
    this.#waiting.add(start);
    return promise;
  }
}
