export interface BackoffLimits {
  readonly firstMs: number;
  readonly longestMs: number;
  /** The random variation of a pause, as a fraction of the pause in both directions. The default is 0.2. */
  readonly jitter?: number;
}

/**
 * Exponential backoff: the pause in ms after some consecutive failures, or 0 without a failure. The pause varies
 * randomly, so that processes that failed at the same time do not retry at the same time.
 *
 * @param random a number from 0 to 1
 */
export function backoffMs(
  failures: number,
  { firstMs, longestMs, jitter = 0.2 }: BackoffLimits,
  random: number = Math.random(),
): number {
  if (failures === 0) return 0;
  const pause = Math.min(firstMs * 2 ** (failures - 1), longestMs);
  return pause * (1 + jitter * (2 * random - 1));
}

/** Counts consecutive failures, and computes the pause after each. */
export class Backoff {
  readonly #limits: BackoffLimits;
  #failures = 0;

  constructor(limits: BackoffLimits) {
    this.#limits = limits;
  }

  /** The pause after another failure, in ms. */
  next(): number {
    this.#failures += 1;
    return backoffMs(this.#failures, this.#limits);
  }

  /** Resets the count of failures after a success. */
  reset(): void {
    this.#failures = 0;
  }
}
