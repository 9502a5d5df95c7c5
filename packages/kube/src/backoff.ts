const JITTER = 0.2;

/** Pauses in ms that double from the first to the longest, with 20 % of jitter in both directions. */
export class Backoff {
  readonly #firstMs: number;
  readonly #longestMs: number;
  #failures = 0;

  constructor(firstMs: number, longestMs: number) {
    this.#firstMs = firstMs;
    this.#longestMs = longestMs;
  }

  /** The pause after another failure. */
  next(): number {
    const pause = Math.min(this.#firstMs * 2 ** this.#failures, this.#longestMs);
    this.#failures += 1;
    return pause * (1 + JITTER * (2 * Math.random() - 1));
  }

  /** Resets the pause after a success. */
  reset(): void {
    this.#failures = 0;
  }
}
