import { setTimeout as sleep } from 'node:timers/promises';
import { backoffMs } from '@sightline/core/backoff';
import type { PoolWorker } from './pool-worker.ts';

const RETRY = { firstMs: 100, longestMs: 30_000 };

export interface SlotOptions<Job, Result, Ready> {
  readonly spawn: () => PoolWorker<Job, Result, Ready>;
  /** Called when a worker of the slot, the first worker or a replacement, is ready for jobs. */
  readonly onReady: () => void;
  /**
   * Called when the worker has ended or failed to start. The worker is replaced unless the slot
   * closes.
   */
  readonly onEnded: (reason: Error) => void;
}

/**
 * A slot of a pool. A worker that ends is replaced at once, and a worker that fails to start is
 * retried with exponential backoff.
 */
export class WorkerSlot<Job, Result, Ready> {
  readonly #options: SlotOptions<Job, Result, Ready>;
  readonly #closing = new AbortController();
  readonly #supervised: Promise<void>;
  #worker: PoolWorker<Job, Result, Ready>;
  #failedStarts = 0;

  constructor(options: SlotOptions<Job, Result, Ready>) {
    this.#options = options;
    this.#worker = options.spawn();
    this.#supervised = this.#supervise();
  }

  get worker(): PoolWorker<Job, Result, Ready> {
    return this.#worker;
  }

  /**
   * Whether the slot has no worker and expects none soon, because the last start failed or the slot
   * is closing.
   */
  get down(): boolean {
    return !this.#worker.usable && (this.#failedStarts > 0 || this.#closing.signal.aborted);
  }

  /** Stops the replacement of a worker that ends. */
  retire(): void {
    this.#closing.abort();
  }

  /** Ends the worker. With `force`, it does not wait for the worker's job. */
  async close({ force }: { readonly force: boolean }): Promise<void> {
    this.retire();
    await (force ? this.#worker.terminate() : this.#worker.stop());
    await this.#supervised;
  }

  async #supervise(): Promise<void> {
    const { signal } = this.#closing;
    for (;;) {
      await this.#worker.ready.then(
        () => this.#started(),
        () => this.#failedStarts++,
      );
      this.#options.onEnded(await this.#worker.ended);
      await sleep(backoffMs(this.#failedStarts, RETRY), undefined, { signal }).catch(
        () => undefined,
      );
      if (signal.aborted) return;
      this.#worker = this.#options.spawn();
    }
  }

  #started(): void {
    this.#failedStarts = 0;
    this.#options.onReady();
  }
}
