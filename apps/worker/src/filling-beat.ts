import type { HeldLease } from '@sightline/core/leases/lease';
import type { ChangeLog } from '@sightline/core/vectors/change-log';

export interface FillingBeatDeps {
  readonly lease: HeldLease;
  readonly changeLog: Pick<ChangeLog, 'keepAlive'>;
  /** Between two beats. */
  readonly everyMs: number;
}

/**
 * Prolongs the lease of an index and keeps its reader from being forgotten while it is filled, which
 * takes longer than a lease lasts; others see there how far it is.
 */
export class FillingBeat implements Disposable {
  /** Points so far. */
  filling = 0;
  /** Aborts on a stop, and when another process has the lease. */
  readonly signal: AbortSignal;
  readonly #deps: FillingBeatDeps;
  readonly #lost = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #isBeating = false;

  constructor(deps: FillingBeatDeps, stop: AbortSignal) {
    this.#deps = deps;
    this.signal = AbortSignal.any([stop, this.#lost.signal]);
    this.#timer = setInterval(() => void this.#beat(), deps.everyMs);
  }

  /** Whether another process has the lease. */
  get lost(): boolean {
    return this.#lost.signal.aborted;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  async #beat(): Promise<void> {
    if (this.#isBeating) return;
    this.#isBeating = true;
    try {
      if (await this.#deps.lease.hold()) await this.#deps.changeLog.keepAlive(this.filling);
      else this.#lost.abort();
    } catch {
      // What is being done meets the same failure, or the next beat succeeds.
    } finally {
      this.#isBeating = false;
    }
  }
}
