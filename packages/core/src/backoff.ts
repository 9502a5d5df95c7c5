/** How pauses between retries grow. */
export interface BackoffLimits {
  readonly firstMs: number;
  readonly longestMs: number;
  /** How much a pause varies, as a share in both directions; 0.2 if absent. */
  readonly jitter?: number;
}

/**
 * Exponential backoff: the pause in ms after this many failures in a row. It doubles from the first to the longest, and
 * varies, so that processes that failed together do not retry together. Without a failure it is 0.
 *
 * @param random from 0 to 1
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

/** Counts failures in a row, and computes the pause after each. */
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

  /** Counts failures from 0 again, after a success. */
  reset(): void {
    this.#failures = 0;
  }
}
