export interface JobOptions {
  /** Buffers inside the job that are moved to the worker's thread instead of copied. */
  readonly transfer?: readonly ArrayBuffer[];
  readonly signal?: AbortSignal | undefined;
}

/** A job between intake and outcome. It settles once: whatever comes after an abort is dropped. */
export class PendingJob<Job, Result> {
  readonly job: Job;
  readonly transfer: readonly ArrayBuffer[];
  readonly since = performance.now();
  readonly #outcome = Promise.withResolvers<Result>();
  readonly #signal: AbortSignal | undefined;
  readonly #abort = (): void => {
    this.#outcome.reject(this.#signal?.reason);
    this.onAbort();
  };
  /** Called once the caller has its abort: takes the job out of the queue, or tells its worker. */
  onAbort: () => void = () => undefined;

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
