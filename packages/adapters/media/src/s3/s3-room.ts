import type { StoreUnavailable } from '@sightline/core/store/store-errors';
import { isFull } from './s3-error.ts';

/** How long photos are refused after the store refused a put as full, in ms. Clients get this time as `Retry-After`. */
export const REFUSAL_COUNTS_MS = 5_000;

interface Refusal {
  readonly error: StoreUnavailable;
  readonly at: number;
}

/**
 * Remembers from puts whether a bucket has room. Only a put can show that an S3 is full, because a full S3 still answers
 * all other requests.
 */
export class S3Room {
  readonly #now: () => number;
  /** The latest put that was refused because the store is full; null after a later put has succeeded. */
  #refusal: Refusal | null = null;

  /** @param now a monotonic clock, in ms */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Runs a put, and remembers whether the store was full. */
  async watch<T>(put: () => Promise<T>): Promise<T> {
    const before = this.#refusal;
    try {
      const result = await put();
      // A put that started before the refusal does not show that the store has room again.
      if (this.#refusal === before) this.#refusal = null;
      return result;
    } catch (error) {
      if (isFull(error)) this.#refusal = { error, at: this.#now() };
      throw error;
    }
  }

  /** @throws StoreUnavailable if a put was refused less than {@link REFUSAL_COUNTS_MS} ago */
  requireNoRecentRefusal(): void {
    if (this.#refusal === null) return;
    if (this.#now() - this.#refusal.at < REFUSAL_COUNTS_MS) throw this.#refusal.error;
  }

  /** @throws StoreUnavailable after a refused put until a put succeeds */
  requireNoRefusal(): void {
    if (this.#refusal !== null) throw this.#refusal.error;
  }
}
