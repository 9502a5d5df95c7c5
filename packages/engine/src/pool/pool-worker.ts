import { Worker, type WorkerOptions } from 'node:worker_threads';
import { DomainError } from '@sightline/core/domain-error';
import { AnalysisFailed, InferenceUnavailable } from '@sightline/core/models/model-errors';
import type { PoolMessage, WorkerMessage } from './protocol.ts';
import { deserializeError } from './serialized-error.ts';

const STOP_GRACE_MS = 5000;
/** How long a terminated worker may take to finish the current stage of its job, in ms. Most stages take less. */
const TERMINATE_GRACE_MS = 2000;
const TRY_AGAIN = 'The analysis failed unexpectedly; try again.';

/** One thread of a pool, from its start to its end. It processes at most one job at a time. */
export class PoolWorker<Job, Result, Ready> {
  readonly #thread: Worker;
  readonly #ready = Promise.withResolvers<Ready>();
  readonly #ended = Promise.withResolvers<Error>();
  #usable = false;
  #pending: PromiseWithResolvers<Result> | null = null;
  #lastError: unknown;

  constructor(script: URL, options: WorkerOptions) {
    this.#thread = new Worker(script, options);
    this.#thread.on('message', (message: WorkerMessage<Result, Ready>) => this.#receive(message));
    this.#thread.on('error', (error: unknown) => (this.#lastError = error));
    this.#thread.on('exit', (code) => this.#end(code));
  }

  /**
   * Resolves with the worker's description of itself when the worker is ready. Rejects with the
   * error that kept the worker from starting.
   */
  get ready(): Promise<Ready> {
    return this.#ready.promise;
  }

  /** Resolves with the reason when the thread has ended, and never rejects. */
  get ended(): Promise<Error> {
    return this.#ended.promise;
  }

  /** Whether the worker is ready and its thread is alive. */
  get usable(): boolean {
    return this.#usable;
  }

  /**
   * Gives a job to a usable worker that has no job.
   *
   * @throws the worker's domain error; AnalysisFailed for any other error and if the thread ends
   *   first; InferenceUnavailable if the worker is terminated; DataCloneError if the job cannot be
   *   sent
   */
  async run(job: Job, transfer: readonly ArrayBuffer[]): Promise<Result> {
    this.#post({ kind: 'job', job }, transfer);
    this.#pending = Promise.withResolvers<Result>();
    return this.#pending.promise;
  }

  /**
   * Asks the worker to abort its job at the next opportunity. The promise of `run` still settles.
   */
  cancel(): void {
    this.#post({ kind: 'cancel' });
  }

  /**
   * Ends the thread after it has released its resources, or by force if the release takes too long.
   */
  stop(): Promise<void> {
    return this.#stopWithin(STOP_GRACE_MS);
  }

  /**
   * Ends the thread after the current stage of its job, which fails with InferenceUnavailable.
   * Ending a thread while it runs native code may crash the whole process, so only a thread that
   * hangs is ended by force.
   */
  async terminate(): Promise<void> {
    const cause = new Error('The worker thread was ended.');
    this.#takePending()?.reject(new InferenceUnavailable(TRY_AGAIN, {}, { cause }));
    this.cancel();
    await this.#stopWithin(TERMINATE_GRACE_MS);
  }

  async #stopWithin(graceMs: number): Promise<void> {
    this.#post({ kind: 'stop' });
    const force = setTimeout(() => void this.#thread.terminate(), graceMs);
    await this.ended;
    clearTimeout(force);
  }

  #post(message: PoolMessage<Job>, transfer: readonly ArrayBuffer[] = []): void {
    this.#thread.postMessage(message, transfer);
  }

  #receive(message: WorkerMessage<Result, Ready>): void {
    switch (message.kind) {
      case 'ready':
        this.#usable = true;
        this.#ready.resolve(message.ready);
        return;
      case 'not_ready':
        this.#lastError = deserializeError(message.error);
        void this.#thread.terminate();
        return;
      case 'result':
        this.#takePending()?.resolve(message.result);
        return;
      case 'failure':
        this.#takePending()?.reject(asJobError(deserializeError(message.error)));
    }
  }

  #takePending(): PromiseWithResolvers<Result> | null {
    const pending = this.#pending;
    this.#pending = null;
    return pending;
  }

  #end(exitCode: number): void {
    this.#usable = false;
    const reason = new Error(`A worker thread ended with exit code ${exitCode}.`, {
      cause: this.#lastError,
    });
    this.#ready.reject(this.#lastError ?? reason);
    this.#takePending()?.reject(analysisFailed(reason));
    this.#ended.resolve(reason);
  }
}

function asJobError(error: Error): Error {
  return error instanceof DomainError ? error : analysisFailed(error);
}

function analysisFailed(cause: Error): AnalysisFailed {
  return new AnalysisFailed(TRY_AGAIN, {}, { cause });
}
