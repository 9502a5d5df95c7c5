import { isOutage } from '../jobs/is-outage.ts';

/** Reads the heads of feeds. */
export interface FeedHeads {
  /**
   * Returns the id of the last entry of each of these environments; feeds without entries are absent.
   *
   * @throws StoreUnavailable
   */
  heads(environmentIds: readonly number[]): Promise<ReadonlyMap<number, number>>;
}

/** The time between two reads of the heads, in ms. */
const INTERVAL_MS = 200;

export interface FeedWait {
  readonly environmentId: number;
  /** The id after which the waiting caller wants entries. */
  readonly after: number;
  readonly ms: number;
}

/** `changed`: the feed has entries after the id. `elapsed`: it had none in that time. `ended`: the process stops. */
export type FeedWaitEnd = 'changed' | 'elapsed' | 'ended';

interface Waiter {
  readonly after: number;
  readonly end: (end: FeedWaitEnd) => void;
}

/**
 * Waits for entries of feeds. Entries may come from any process, so the heads of all feeds with waiting callers are read by
 * one query several times a second. Without waiting callers nothing is read.
 */
export class FeedWatch {
  readonly #heads: FeedHeads;
  readonly #failed: (error: unknown) => void;
  readonly #waiters = new Map<number, Set<Waiter>>();
  #state: 'idle' | 'reading' | 'ended' = 'idle';

  /** @param failed called with each error of a read that is no outage */
  constructor(heads: FeedHeads, failed: (error: unknown) => void) {
    this.#heads = heads;
    this.#failed = failed;
  }

  /** @throws the signal's reason */
  wait({ environmentId, after, ms }: FeedWait, signal: AbortSignal): Promise<FeedWaitEnd> {
    signal.throwIfAborted();
    if (this.#state === 'ended') return Promise.resolve('ended');
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', abort);
        this.#remove(environmentId, waiter);
      };
      const waiter: Waiter = {
        after,
        end: (end) => {
          settle();
          resolve(end);
        },
      };
      const abort = (): void => {
        settle();
        reject(signal.reason as Error);
      };
      const timer = setTimeout(() => waiter.end('elapsed'), ms);
      signal.addEventListener('abort', abort);
      this.#add(environmentId, waiter);
    });
  }

  /** Ends all waits, and those that begin later. */
  end(): void {
    this.#state = 'ended';
    for (const waiters of [...this.#waiters.values()]) {
      for (const waiter of [...waiters]) waiter.end('ended');
    }
  }

  #add(environmentId: number, waiter: Waiter): void {
    const waiters = this.#waiters.get(environmentId) ?? new Set();
    this.#waiters.set(environmentId, waiters.add(waiter));
    if (this.#state === 'idle') void this.#read();
  }

  #remove(environmentId: number, waiter: Waiter): void {
    const waiters = this.#waiters.get(environmentId);
    waiters?.delete(waiter);
    if (waiters?.size === 0) this.#waiters.delete(environmentId);
  }

  async #read(): Promise<void> {
    this.#state = 'reading';
    while (this.#waiters.size > 0) {
      await new Promise((resolve) => void setTimeout(resolve, INTERVAL_MS));
      if (this.#waiters.size === 0) break;
      // A database that is down makes the waits longer. Their callers learn about it when they read the feed.
      await this.#wake().catch((error: unknown) => {
        if (!isOutage(error)) this.#failed(error);
      });
    }
    if (!this.#hasEnded()) this.#state = 'idle';
  }

  #hasEnded(): boolean {
    return this.#state === 'ended';
  }

  async #wake(): Promise<void> {
    const heads = await this.#heads.heads([...this.#waiters.keys()]);
    for (const [environmentId, head] of heads) {
      for (const waiter of [...(this.#waiters.get(environmentId) ?? [])]) {
        if (waiter.after < head) waiter.end('changed');
      }
    }
  }
}
