/**
 * The minimum pace at which a client has to send a body. Only the time in which the reader waits for bytes counts.
 */
export interface PaceLimits {
  /** The maximum time without a byte, in ms. */
  readonly silenceMs: number;
  /** The waiting time after which the average pace is checked, in ms. */
  readonly averageAfterMs: number;
  /** The minimum average pace, in bytes per second. */
  readonly leastAverage: number;
}

/**
 * The reason why a body is too slow: `silence` means no byte for too long, and `average` too few bytes per second.
 */
export type Slowness = 'silence' | 'average';

/** The default limits, far below the pace of any usable connection; see docs/adr/0023-limits-of-a-connection.md. */
export const BODY_PACE: PaceLimits = {
  silenceMs: 20_000,
  averageAfterMs: 30_000,
  leastAverage: 1024,
};

export class BodyPace implements Disposable {
  readonly #limits: PaceLimits;
  readonly #now: () => number;
  readonly #onSlow: (slowness: Slowness) => void;
  #timer: NodeJS.Timeout | undefined;
  #bytes = 0;
  #waitedMs = 0;
  /** The start of the current wait for bytes; null while the reader is not ready for bytes. */
  #waitsSince: number | null = null;

  /**
   * @param onSlow called at most once, when the body is too slow
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

  /** Starts a wait, because the reader is ready for bytes. */
  wait(): void {
    if (this.#waitsSince !== null) return;
    this.#waitsSince = this.#now();
    this.#timer ??= setTimeout(() => this.#end('silence'), this.#limits.silenceMs);
    this.#timer.refresh();
  }

  /** Ends the wait, because the reader is not ready for more bytes. */
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
