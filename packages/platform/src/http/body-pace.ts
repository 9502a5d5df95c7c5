/** The slowest accepted pace of a body. Only time in which the reader waits for bytes counts. */
export interface PaceLimits {
  /** Longest time without a byte, in ms. */
  readonly silenceMs: number;
  /** The average counts after this time of waiting, in ms. */
  readonly averageAfterMs: number;
  /** In bytes per second. */
  readonly leastAverage: number;
}

/** Why a body is too slow: no byte came for too long, or too few came on average. */
export type Slowness = 'silence' | 'average';

/** Far below the pace of any connection that could send an image; see docs/adr/0023-limits-of-a-connection.md. */
export const BODY_PACE: PaceLimits = {
  silenceMs: 20_000,
  averageAfterMs: 30_000,
  leastAverage: 1024,
};

/** Watches the pace of one body. */
export class BodyPace implements Disposable {
  readonly #limits: PaceLimits;
  readonly #now: () => number;
  readonly #onSlow: (slowness: Slowness) => void;
  #timer: NodeJS.Timeout | undefined;
  #bytes = 0;
  #waitedMs = 0;
  /** When the wait began; null while the reader is not ready for more. */
  #waitsSince: number | null = null;

  /**
   * @param onSlow called once
   * @param now a monotonic clock, in ms
   */
  constructor(
    limits: PaceLimits,
    onSlow: (slowness: Slowness) => void,
    now = () => performance.now(),
  ) {
    this.#limits = limits;
    this.#onSlow = onSlow;
    this.#now = now;
  }

  /** The reader is ready for the next bytes. */
  wait(): void {
    if (this.#waitsSince !== null) return;
    this.#waitsSince = this.#now();
    this.#timer ??= setTimeout(() => this.#end('silence'), this.#limits.silenceMs);
    this.#timer.refresh();
  }

  /** The reader cannot take more at the moment. */
  pause(): void {
    this.#count();
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  received(bytes: number): void {
    this.#bytes += bytes;
    this.#count();
    if (this.#isSlow()) this.#end('average');
    else this.wait();
  }

  [Symbol.dispose](): void {
    this.pause();
  }

  #count(): void {
    if (this.#waitsSince !== null) this.#waitedMs += this.#now() - this.#waitsSince;
    this.#waitsSince = null;
  }

  #isSlow(): boolean {
    const { averageAfterMs, leastAverage } = this.#limits;
    const isCounted = this.#waitedMs >= averageAfterMs;
    return isCounted && this.#bytes < (leastAverage * this.#waitedMs) / 1000;
  }

  #end(slowness: Slowness): void {
    this[Symbol.dispose]();
    this.#onSlow(slowness);
  }
}
