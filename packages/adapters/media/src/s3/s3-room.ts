import type { StoreUnavailable } from '@sightline/core/store/store-errors';
import { isFull } from './s3-error.ts';

/** How long a refusal keeps further photos away, in ms; the `Retry-After` of such refusals. */
export const REFUSAL_COUNTS_MS = 5_000;

interface Refusal {
  readonly error: StoreUnavailable;
  readonly at: number;
}

/**
 * Whether a bucket has room, as far as puts have shown: an S3 that is full answers every other request,
 * and nothing is written just to find out.
 */
export class S3Room {
  readonly #now: () => number;
  /** The latest put that was refused as full; null once a later one has succeeded. */
  #refusal: Refusal | null = null;

  /** @param now a monotonic clock, in ms */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Does a put, and remembers whether the store was full. */
  async watch<T>(put: () => Promise<T>): Promise<T> {
    const before = this.#refusal;
    try {
      const result = await put();
      // A put that began before the refusal says nothing about the room since.
      if (this.#refusal === before) this.#refusal = null;
      return result;
    } catch (error) {
      if (isFull(error)) this.#refusal = { error, at: this.#now() };
      throw error;
    }
  }

  /** @throws StoreUnavailable for a while after a put was refused; then puts may try again */
  requireNoRecentRefusal(): void {
    if (this.#refusal === null) return;
    if (this.#now() - this.#refusal.at < REFUSAL_COUNTS_MS) throw this.#refusal.error;
  }

  /** @throws StoreUnavailable from a refused put until one succeeds */
  requireNoRefusal(): void {
    if (this.#refusal !== null) throw this.#refusal.error;
  }
}
