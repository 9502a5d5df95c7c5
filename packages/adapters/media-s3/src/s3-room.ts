import type { StoreUnavailable } from '@sightline/core/store/store-errors';
import { failureOf, isFull } from './s3-error.ts';

/**
 * For how long a store has room that has taken something, in ms: it fills slowly, and what is put only
 * to see costs a request of its own.
 */
export const TAKEN_MS = 10_000;
/** For how long one is full that has refused something, in ms. */
export const REFUSED_MS = 500;

export interface S3RoomOptions {
  /** Stores something and removes it again. Whoever asks meanwhile waits for the same one. */
  readonly tryOut: () => Promise<void>;
  /** Milliseconds since some moment; they only ever grow. */
  readonly now?: () => number;
}

/**
 * Whether an S3 has room for more. No request tells but a put, and one that is full answers all
 * others. What was put lately counts; else something is put only to see. Once the store has
 * refused as full, only such a trial ends that: a small image may find room beside a large one that
 * did not.
 */
export class S3Room {
  readonly #tryOut: () => Promise<void>;
  readonly #now: () => number;
  /** What the store said when it refused; null if it did not, or has taken something since. */
  #refusal: StoreUnavailable | null = null;
  /** When there was a word on the room. */
  #knownAt = -Infinity;
  #trial: Promise<void> | null = null;
  #mayTry = true;

  constructor({ tryOut, now = () => performance.now() }: S3RoomOptions) {
    this.#tryOut = tryOut;
    this.#now = now;
  }

  /** Puts something, and remembers what that says about the room. */
  async watch<T>(put: () => Promise<T>): Promise<T> {
    try {
      const result = await put();
      if (this.#refusal === null) this.#knownAt = this.#now();
      return result;
    } catch (error) {
      if (isFull(error)) this.#refused(error);
      throw error;
    }
  }

  /** @throws what a put threw a moment ago, if the store was full */
  requireNotRefused(): void {
    if (this.#isKnown() && this.#refusal !== null) throw this.#refusal;
  }

  /** @throws what a put would throw, at once if that is known */
  async require(): Promise<void> {
    this.requireNotRefused();
    if (this.#isKnown() || !this.#mayTry) return;
    this.#trial ??= this.#try().finally(() => (this.#trial = null));
    await this.#trial;
  }

  #isKnown(): boolean {
    const counts = this.#refusal === null ? TAKEN_MS : REFUSED_MS;
    return this.#now() - this.#knownAt < counts;
  }

  async #try(): Promise<void> {
    try {
      await this.#tryOut();
    } catch (error) {
      if (isFull(error)) this.#refused(error);
      if (failureOf(error) !== 'AccessDenied') throw error;
      // Who may put images need not be allowed this: then the room is known from those alone.
      this.#mayTry = false;
    }
    this.#refusal = null;
    this.#knownAt = this.#now();
  }

  #refused(error: StoreUnavailable): void {
    this.#refusal = error;
    this.#knownAt = this.#now();
  }
}
