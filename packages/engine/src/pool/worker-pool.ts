import type { ResourceLimits } from 'node:worker_threads';
import { InferenceOverloaded, InferenceUnavailable } from '@sightline/core/models/model-errors';
import { type JobOptions, PendingJob } from './pending-job.ts';
import type { PoolObserver } from './pool-observer.ts';
import { PoolWorker } from './pool-worker.ts';
import { WorkerSlot } from './worker-slot.ts';

const MAX_RETRY_AFTER_SECONDS = 60;
/** Weight of the newest job in the moving average of service times. */
const NEWEST_WEIGHT = 0.2;

export interface WorkerPoolOptions {
  /** Module of the worker thread; it calls serveJobs. */
  readonly script: URL;
  /** Number of threads, at least 1. */
  readonly size: number;
  /** Maximum number of jobs that wait while all workers are busy. */
  readonly queueLimit: number;
  /** Start data of the thread in a slot (0..size-1); must be structured-cloneable. */
  readonly startData: (slot: number) => unknown;
  /** Called when the thread of a slot has ended, before its replacement starts. */
  readonly onSlotVacated?: (slot: number) => void;
  /** Heap limits of each thread; a thread that exceeds them ends as if it had crashed. */
  readonly resourceLimits?: ResourceLimits;
  readonly observer: PoolObserver;
}

export interface PoolLoad {
  readonly queued: number;
  readonly running: number;
}

/**
 * A fixed number of worker threads that process jobs in order, one at a time each. If a thread
 * dies, its job fails, and the thread is replaced.
 */
export class WorkerPool<Job, Result, Ready> implements AsyncDisposable {
  readonly #options: WorkerPoolOptions;
  readonly #slots: readonly WorkerSlot<Job, Result, Ready>[];
  /** The slot that finished last is used first, because its memory is warm. */
  readonly #idle: WorkerSlot<Job, Result, Ready>[] = [];
  /** In order of arrival. A set, so that an aborted job can be removed at once. */
  readonly #queue = new Set<PendingJob<Job, Result>>();
  /** Resolves to true when a closing pool has no job left, to false if the caller stops waiting. */
  readonly #drained = Promise.withResolvers<boolean>();
  #ready!: Ready;
  #closing = false;
  #running = 0;
  #meanServiceMs = 0;

  /**
   * Starts all workers and resolves when all are ready.
   *
   * @throws the error of a worker that fails to start; all workers are stopped then
   */
  static async start<Job, Result, Ready>(
    options: WorkerPoolOptions,
  ): Promise<WorkerPool<Job, Result, Ready>> {
    const pool = new WorkerPool<Job, Result, Ready>(options);
    try {
      const [first] = await Promise.all(pool.#slots.map(({ worker }) => worker.ready));
      pool.#ready = first!;
    } catch (error) {
      await pool.close(AbortSignal.abort());
      throw error;
    }
    return pool;
  }

  private constructor(options: WorkerPoolOptions) {
    this.#options = options;
    this.#slots = Array.from({ length: options.size }, (_, index) => this.#openSlot(index));
  }

  /** Workers that are ready or busy, 0..size. */
  get alive(): number {
    return this.#slots.filter(({ worker }) => worker.usable).length;
  }

  /** Queued and running jobs; an aborted job counts as running until its worker is free. */
  get load(): PoolLoad {
    return { queued: this.#queue.size, running: this.#running };
  }

  /** The first worker's description of itself; all workers start with the same models. */
  get ready(): Ready {
    return this.#ready;
  }

  /**
   * Processes one job. The caller must not use the buffers in `transfer` afterwards.
   *
   * @throws the worker's domain error; InferenceOverloaded if the queue is full;
   *   InferenceUnavailable if the worker dies or fails otherwise, no worker is left, or the pool is
   *   closed; the signal's reason as soon as it aborts
   */
  async run(job: Job, options: JobOptions = {}): Promise<Result> {
    options.signal?.throwIfAborted();
    this.#assertAccepting();
    const pending = new PendingJob<Job, Result>(job, options);
    pending.onAbort = () => {
      this.#queue.delete(pending);
      this.#dispatch();
    };
    this.#queue.add(pending);
    this.#dispatch();
    return pending.outcome;
  }

  /**
   * Takes no more jobs, waits for those in flight, then ends the threads. When the signal aborts,
   * the remaining jobs fail with InferenceUnavailable.
   */
  async close(signal?: AbortSignal): Promise<void> {
    this.#closing = true;
    for (const slot of this.#slots) slot.retire();
    this.#dispatch();
    const force = !(await this.#drainedBefore(signal));
    if (force) this.#failQueue();
    await Promise.all(this.#slots.map((slot) => slot.close({ force })));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #openSlot(index: number): WorkerSlot<Job, Result, Ready> {
    const { script, startData, resourceLimits, onSlotVacated, observer } = this.#options;
    const options = {
      name: `inference-${index}`,
      workerData: startData(index),
      ...(resourceLimits && { resourceLimits }),
    };
    const slot = new WorkerSlot<Job, Result, Ready>({
      spawn: () => new PoolWorker(script, options),
      onReady: () => this.#release(slot),
      onEnded: (reason) => {
        onSlotVacated?.(index);
        if (this.#idle.includes(slot)) this.#idle.splice(this.#idle.indexOf(slot), 1);
        if (!this.#closing) observer.workerLost(reason);
        this.#dispatch();
      },
    });
    return slot;
  }

  #assertAccepting(): void {
    if (this.#closing) throw new InferenceUnavailable('Inference is shutting down.');
    if (this.#slots.every(({ down }) => down)) throw noWorker();
    if (this.#idle.length === 0 && this.#queue.size >= this.#options.queueLimit) {
      throw new InferenceOverloaded(this.#retryAfterSeconds());
    }
  }

  /** Gives queued jobs to idle workers, or fails them if no worker is left or expected. */
  #dispatch(): void {
    for (const pending of this.#queue) {
      const slot = this.#idle.pop();
      if (slot === undefined) break;
      this.#queue.delete(pending);
      void this.#serve(slot, pending);
    }
    if (this.#slots.every(({ down }) => down)) this.#failQueue();
    if (this.#closing && this.#queue.size + this.#running === 0) this.#drained.resolve(true);
  }

  async #serve(
    slot: WorkerSlot<Job, Result, Ready>,
    pending: PendingJob<Job, Result>,
  ): Promise<void> {
    const { worker } = slot;
    const started = performance.now();
    this.#running += 1;
    this.#options.observer.jobStarted(started - pending.queuedAt);
    pending.onAbort = () => worker.cancel();
    try {
      pending.resolve(await worker.run(pending.job, pending.transfer));
    } catch (error) {
      pending.reject(error);
    }
    this.#running -= 1;
    this.#recordServiceTime(performance.now() - started);
    this.#release(slot);
  }

  #release(slot: WorkerSlot<Job, Result, Ready>): void {
    if (slot.worker.usable) this.#idle.push(slot);
    this.#dispatch();
  }

  #failQueue(): void {
    for (const pending of this.#queue) pending.reject(noWorker());
    this.#queue.clear();
  }

  async #drainedBefore(signal: AbortSignal | undefined): Promise<boolean> {
    const abort = () => this.#drained.resolve(false);
    if (signal?.aborted) abort();
    signal?.addEventListener('abort', abort, { once: true });
    const drained = await this.#drained.promise;
    signal?.removeEventListener('abort', abort);
    return drained;
  }

  #recordServiceTime(milliseconds: number): void {
    this.#meanServiceMs +=
      (milliseconds - this.#meanServiceMs) * (this.#meanServiceMs === 0 ? 1 : NEWEST_WEIGHT);
  }

  /** Estimated time to empty the queue, from the recent service times. */
  #retryAfterSeconds(): number {
    const seconds = (this.#queue.size * this.#meanServiceMs) / this.#options.size / 1000;
    return Math.min(Math.max(1, Math.ceil(seconds)), MAX_RETRY_AFTER_SECONDS);
  }
}

function noWorker(): InferenceUnavailable {
  return new InferenceUnavailable('No inference worker is running; try again later.');
}
