import type { ResourceLimits } from 'node:worker_threads';
import { InferenceOverloaded, InferenceUnavailable } from '@sightline/core/models/model-errors';
import { type JobOptions, PendingJob } from './pending-job.ts';
import type { PoolObserver } from './pool-observer.ts';
import { PoolWorker } from './pool-worker.ts';
import { WorkerSlot } from './worker-slot.ts';

const LONGEST_RETRY_AFTER_SECONDS = 60;
/** Weight of the newest job in the running mean of service times. */
const NEWEST_WEIGHT = 0.2;

export interface WorkerPoolOptions {
  /** Module of the worker thread; it calls serveJobs. */
  readonly script: URL;
  /** Number of threads, at least 1. */
  readonly size: number;
  /** How many jobs may wait while all workers are busy. */
  readonly queueLimit: number;
  /** What the thread of a slot (0..size-1) is started with; structured-cloneable. */
  readonly startData: (slot: number) => unknown;
  /** Called when the thread of a slot is gone, before another takes its place. */
  readonly onSlotVacated?: (slot: number) => void;
  /** Limits of each thread's JavaScript heap; one that exceeds them ends like one that crashes. */
  readonly resourceLimits?: ResourceLimits;
  readonly observer: PoolObserver;
}

export interface PoolLoad {
  readonly queued: number;
  readonly running: number;
}

/**
 * A fixed number of worker threads that answer jobs in the order of their intake, each one at a
 * time. A thread that dies takes its own job with it and is replaced.
 */
export class WorkerPool<Job, Result, Ready> implements AsyncDisposable {
  readonly #options: WorkerPoolOptions;
  readonly #slots: readonly WorkerSlot<Job, Result, Ready>[];
  /** The slot that finished last comes first: its memory is warm. */
  readonly #idle: WorkerSlot<Job, Result, Ready>[] = [];
  /** In the order of intake; a set, so that an aborted job leaves from the middle at once. */
  readonly #queue = new Set<PendingJob<Job, Result>>();
  /** True once a closing pool has no job left, false if waiting for that was given up. */
  readonly #drained = Promise.withResolvers<boolean>();
  #ready!: Ready;
  #closing = false;
  #running = 0;
  #meanServiceMs = 0;

  /**
   * Starts all workers and settles when every one is ready.
   *
   * @throws the error of a worker that does not start; then none is left running
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

  /** Jobs that wait, and jobs that workers have; aborted ones count until their worker is free. */
  get load(): PoolLoad {
    return { queued: this.#queue.size, running: this.#running };
  }

  /** What the workers say of themselves; all start alike, so one speaks for all. */
  get ready(): Ready {
    return this.#ready;
  }

  /**
   * Does one job. What `transfer` lists must not be touched from the call on.
   *
   * @throws the worker's error of the domain; InferenceOverloaded if the queue is full;
   *   InferenceUnavailable if the worker dies or fails otherwise, none is left, or the pool is
   *   closed; the signal's reason as soon as it aborts
   */
  async run(job: Job, options: JobOptions = {}): Promise<Result> {
    options.signal?.throwIfAborted();
    this.#refuseIfUnable();
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
   * Takes no more jobs, lets those taken end, then ends the threads. What is left when the signal
   * aborts fails with InferenceUnavailable.
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

  #refuseIfUnable(): void {
    if (this.#closing) throw new InferenceUnavailable('Inference is shutting down.');
    if (this.#slots.every(({ down }) => down)) throw noWorker();
    if (this.#idle.length === 0 && this.#queue.size >= this.#options.queueLimit) {
      throw new InferenceOverloaded(this.#retryAfterSeconds());
    }
  }

  /** Hands waiting jobs to idle workers; where none is left to come, fails them. */
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
    this.#options.observer.jobStarted(started - pending.since);
    pending.onAbort = () => worker.cancel();
    try {
      pending.resolve(await worker.run(pending.job, pending.transfer));
    } catch (error) {
      pending.reject(error);
    }
    this.#running -= 1;
    this.#noteServiceTime(performance.now() - started);
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

  #noteServiceTime(milliseconds: number): void {
    this.#meanServiceMs +=
      (milliseconds - this.#meanServiceMs) * (this.#meanServiceMs === 0 ? 1 : NEWEST_WEIGHT);
  }

  /** The time that the queue needs to empty, going by the recent jobs. */
  #retryAfterSeconds(): number {
    const seconds = (this.#queue.size * this.#meanServiceMs) / this.#options.size / 1000;
    return Math.min(Math.max(1, Math.ceil(seconds)), LONGEST_RETRY_AFTER_SECONDS);
  }
}

function noWorker(): InferenceUnavailable {
  return new InferenceUnavailable('No inference worker is running; try again later.');
}
