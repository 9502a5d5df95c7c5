import { Worker, type WorkerOptions } from 'node:worker_threads';
import { DomainError } from '@sightline/core/domain-error';
import { AnalysisFailed, InferenceUnavailable } from '@sightline/core/models/model-errors';
import type { PoolMessage, Share, WorkerMessage } from './protocol.ts';
import { deserializeError } from './serialized-error.ts';

/** The time limits of a job, in ms. */
export interface JobLimits {
  /** How long a job may run until it is canceled. Crowds on a slow machine take half a minute. */
  readonly runMs: number;
  /**
   * How long a canceled job may go on. A worker that exceeds this hangs in the decoder of a hostile image. It is ended by
   * force, because it would never take a job again. Code of libvips is not interrupted: the thread ends after it.
   */
  readonly hangMs: number;
}

/** Together they are shorter than the timeout of callers in other processes, which learn that the image is the reason. */
const JOB_LIMITS: JobLimits = { runMs: 180_000, hangMs: 60_000 };
const STOP_GRACE_MS = 5000;
/** How long a terminated worker may take to finish the current stage of its job, in ms. Most stages take less. */
const TERMINATE_GRACE_MS = 2000;
const TRY_AGAIN = 'The analysis failed unexpectedly; try again.';

export interface RunOptions {
  /** The buffers inside the job that are transferred. */
  readonly transfer: readonly ArrayBuffer[];
  /** Called when the job lets other workers take part in its work. */
  readonly onShare: (share: Share) => void;
}

/** One thread of a pool, from its start to its end. It processes at most one job at a time. */
export class PoolWorker<Job, Result, Ready> {
  readonly #thread: Worker;
  readonly #limits: JobLimits;
  readonly #ready = Promise.withResolvers<Ready>();
  readonly #ended = Promise.withResolvers<Error>();
  #usable = false;
  #pending: PromiseWithResolvers<Result> | null = null;
  #onShare: RunOptions['onShare'] = () => undefined;
  #helping: PromiseWithResolvers<void> | null = null;
  #lastError: unknown;
  /** Cancels the job at its time limit, and then ends the thread if the job still goes on. */
  #timer: NodeJS.Timeout | undefined;
  #isCanceled = false;

  constructor(script: URL, options: WorkerOptions, limits: JobLimits = JOB_LIMITS) {
    this.#limits = limits;
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

  /** Whether the worker takes part in the work of another worker's job. It can be given a job nevertheless. */
  get isHelping(): boolean {
    return this.#helping !== null;
  }

  /**
   * Gives a job to a usable worker that has no job. A worker that helps ends its current step first.
   *
   * @throws the worker's domain error; AnalysisFailed for any other error, if the job exceeds its time limit, and if the
   *   thread ends first; InferenceUnavailable if the worker is terminated; DataCloneError if the job cannot be sent
   */
  async run(job: Job, { transfer, onShare }: RunOptions): Promise<Result> {
    this.#post({ kind: 'job', job }, transfer);
    this.#pending = Promise.withResolvers<Result>();
    this.#onShare = onShare;
    this.#isCanceled = false;
    this.#timer = setTimeout(() => this.cancel(), this.#limits.runMs);
    return this.#pending.promise;
  }

  /**
   * Lets a usable worker that has no job take part in the work of another worker's job. Resolves when it no longer does,
   * also if its thread ends.
   */
  async help(work: unknown): Promise<void> {
    this.#post({ kind: 'help', work });
    this.#helping = Promise.withResolvers();
    await this.#helping.promise;
  }

  /**
   * Asks the worker to abort its job at the next opportunity. The promise of `run` still settles: the thread of a job that
   * does not end is ended, once it runs no native code.
   */
  cancel(): void {
    if (this.#pending === null || this.#isCanceled) return;
    this.#isCanceled = true;
    this.#post({ kind: 'cancel' });
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#thread.terminate(), this.#limits.hangMs);
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
    this.cancel();
    this.#takePending()?.reject(new InferenceUnavailable(TRY_AGAIN, {}, { cause }));
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
        return;
      case 'share':
        if (this.#pending !== null) this.#onShare(message);
        return;
      case 'helped':
        this.#endHelp();
    }
  }

  #takePending(): PromiseWithResolvers<Result> | null {
    const pending = this.#pending;
    this.#pending = null;
    clearTimeout(this.#timer);
    return pending;
  }

  #endHelp(): void {
    const helping = this.#helping;
    this.#helping = null;
    helping?.resolve();
  }

  #end(exitCode: number): void {
    this.#usable = false;
    this.#endHelp();
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
