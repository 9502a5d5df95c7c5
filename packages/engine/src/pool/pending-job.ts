import type { Tenant } from '@sightline/core/analysis/tenant';

export interface JobOptions {
  /** The tenant that the job counts for. Jobs without a tenant share one. */
  readonly tenant?: Tenant | undefined;
  /** The buffers inside the job that are transferred to the worker thread instead of copied. */
  readonly transfer?: readonly ArrayBuffer[];
  readonly signal?: AbortSignal | undefined;
}

/** A queued or running job. It settles once, and a result after an abort is ignored. */
export class PendingJob<Job, Result> {
  readonly job: Job;
  readonly transfer: readonly ArrayBuffer[];
  readonly queuedAt = performance.now();
  readonly #outcome = Promise.withResolvers<Result>();
  readonly #signal: AbortSignal | undefined;
  readonly #abort = (): void => {
    this.#outcome.reject(this.#signal?.reason);
    this.onAbort();
  };
  /**
   * Called when the caller aborts. The function removes the job from the queue or cancels it in the
   * worker.
   */
  onAbort: () => void = () => undefined;
  /**
   * Called when the job leaves the queue, because a worker takes the job or because it is removed.
   */
  onDequeued: () => void = () => undefined;

  constructor(job: Job, { transfer = [], signal }: JobOptions) {
    this.job = job;
    this.transfer = transfer;
    this.#signal = signal;
    signal?.addEventListener('abort', this.#abort, { once: true });
  }

  get outcome(): Promise<Result> {
    return this.#outcome.promise;
  }

  resolve(result: Result): void {
    this.#signal?.removeEventListener('abort', this.#abort);
    this.#outcome.resolve(result);
  }

  reject(error: unknown): void {
    this.#signal?.removeEventListener('abort', this.#abort);
    this.#outcome.reject(error);
  }
}
