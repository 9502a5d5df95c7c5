import { setTimeout as sleep } from 'node:timers/promises';
import type { PoolWorker } from './pool-worker.ts';

const FIRST_BACK_OFF_MS = 100;
const LONGEST_BACK_OFF_MS = 30_000;

export interface SlotOptions<Job, Result, Ready> {
  readonly spawn: () => PoolWorker<Job, Result, Ready>;
  /** A worker of the slot, the first or a later one, takes jobs from now on. */
  readonly onReady: () => void;
  /** The worker is gone, or did not start; unless the slot closes, another follows. */
  readonly onEnded: (reason: Error) => void;
}

/**
 * A place in a pool that always has a worker: one that ends is replaced at once, one that does not
 * even start is tried again at growing intervals.
 */
export class WorkerSlot<Job, Result, Ready> {
  readonly #options: SlotOptions<Job, Result, Ready>;
  readonly #closing = new AbortController();
  readonly #kept: Promise<void>;
  #worker: PoolWorker<Job, Result, Ready>;
  #failedStarts = 0;

  constructor(options: SlotOptions<Job, Result, Ready>) {
    this.#options = options;
    this.#worker = options.spawn();
    this.#kept = this.#keep();
  }

  get worker(): PoolWorker<Job, Result, Ready> {
    return this.#worker;
  }

  /** Without a worker, and none is about to be ready: it failed to start, or the slot closes. */
  get down(): boolean {
    return !this.#worker.usable && (this.#failedStarts > 0 || this.#closing.signal.aborted);
  }

  /** From now on a worker that ends is not replaced. */
  retire(): void {
    this.#closing.abort();
  }

  /** Ends the worker for good, by force if it is not to finish its job. */
  async close({ force }: { readonly force: boolean }): Promise<void> {
    this.retire();
    await (force ? this.#worker.terminate() : this.#worker.stop());
    await this.#kept;
  }

  async #keep(): Promise<void> {
    const { signal } = this.#closing;
    for (;;) {
      await this.#worker.ready.then(
        () => this.#started(),
        () => this.#failedStarts++,
      );
      this.#options.onEnded(await this.#worker.ended);
      await sleep(this.#backOffMs(), undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      this.#worker = this.#options.spawn();
    }
  }

  #started(): void {
    this.#failedStarts = 0;
    this.#options.onReady();
  }

  #backOffMs(): number {
    if (this.#failedStarts === 0) return 0;
    return Math.min(FIRST_BACK_OFF_MS * 2 ** (this.#failedStarts - 1), LONGEST_BACK_OFF_MS);
  }
}
