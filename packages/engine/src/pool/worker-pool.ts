import type { ResourceLimits } from 'node:worker_threads';
import type { Lane } from '@sightline/core/analysis/lane';
import { laneOf, NO_TENANT, type Tenant } from '@sightline/core/analysis/tenant';
import { InferenceOverloaded, InferenceUnavailable } from '@sightline/core/models/model-errors';
import { FairShares } from '@sightline/platform/resilience/fair-shares';
import type { LaneGate } from './lane-gate.ts';
import { LaneQueue, type LoadByLane, type Turn } from './lane-queue.ts';
import { type JobOptions, PendingJob } from './pending-job.ts';
import type { PoolObserver } from './pool-observer.ts';
import { type JobLimits, PoolWorker } from './pool-worker.ts';
import type { Share } from './protocol.ts';
import { WorkerSlot } from './worker-slot.ts';

const MAX_RETRY_AFTER_SECONDS = 60;
/** The weight of the newest job in the moving average of service times. */
const NEWEST_WEIGHT = 0.2;

export interface WorkerPoolOptions {
  readonly script: URL;
  readonly size: number;
  /**
   * Returns how many of the threads may start. Called once the first thread is ready, when its memory can be measured.
   * Default: all start at once.
   */
  readonly sizeAfterFirst?: () => number;
  /**
   * The maximum number of interactive jobs that wait while all workers are busy. Each tenant has a
   * share of this number. Background jobs do not count, because their senders limit the number of
   * jobs that they send.
   */
  readonly queueLimit: number;
  /**
   * Returns the start data of the thread in a slot (0..size-1). The data must be
   * structured-cloneable.
   */
  readonly startData: (slot: number) => unknown;
  /** Called when the thread of a slot has ended, before its replacement starts. */
  readonly onSlotVacated?: (slot: number) => void;
  /** The heap limits of each thread. A thread that exceeds them ends as if it had crashed. */
  readonly resourceLimits?: ResourceLimits;
  /**
   * Whether to start one thread after another, which leaves the other cores to threads that process
   * jobs.
   */
  readonly startsInTurn?: boolean;
  /** Aborts the start of the pool as soon as the threads that are already starting are ready. */
  readonly signal?: AbortSignal | undefined;
  /**
   * The gate of pools whose threads run on the same cores; absent if there is no such other pool.
   */
  readonly gate?: LaneGate;
  /**
   * The memory of one int32, in which the pool counts the workers that are idle and do not help. Jobs read it to decide
   * whether to share work.
   */
  readonly idleCount?: SharedArrayBuffer;
  /** The time limits of a job; by default three minutes, and one more until its thread is ended. */
  readonly jobLimits?: JobLimits;
  readonly observer: PoolObserver;
}

/**
 * A fixed number of worker threads that process one job at a time each. Tenants take turns. The
 * jobs of one caller are processed in order, and background jobs get the capacity that interactive
 * jobs do not use. If a thread dies, its job fails, and the thread is replaced. The thread of a job that neither ends nor
 * can be canceled is ended.
 *
 * Idle workers take part in work that a running job shares. To the queue they remain idle: a job that arrives is given
 * to such a worker at once, and the worker begins it after its current step.
 */
export class WorkerPool<Job, Result, Ready> implements AsyncDisposable {
  readonly #options: WorkerPoolOptions;
  readonly #slots: WorkerSlot<Job, Result, Ready>[] = [];
  /** The idle slots. The slot that finished last is used first, because its memory is warm. */
  readonly #idle: WorkerSlot<Job, Result, Ready>[] = [];
  readonly #queue: LaneQueue<PendingJob<Job, Result>>;
  readonly #places: FairShares;
  /**
   * Resolves to true when a closing pool has no job left, and to false if the caller stops waiting.
   */
  readonly #drained = Promise.withResolvers<boolean>();
  readonly #idleCount: Int32Array<SharedArrayBuffer>;
  #ready!: Ready;
  #closing = false;
  /**
   * The timer that is set while background jobs wait because a free worker is kept for interactive
   * jobs.
   */
  #wake: NodeJS.Timeout | null = null;
  #meanServiceMs = 0;

  /**
   * Starts all workers and resolves when all are ready.
   *
   * @throws the error of a worker that fails to start, or the signal's reason on abort, after all
   *   workers have stopped
   */
  static async start<Job, Result, Ready>(
    options: WorkerPoolOptions,
  ): Promise<WorkerPool<Job, Result, Ready>> {
    const pool = new WorkerPool<Job, Result, Ready>(options);
    try {
      await pool.#openSlots();
    } catch (error) {
      await pool.#endStart();
      throw error;
    }
    return pool;
  }

  private constructor(options: WorkerPoolOptions) {
    this.#options = options;
    this.#places = new FairShares(options.queueLimit);
    this.#idleCount = new Int32Array(options.idleCount ?? new SharedArrayBuffer(4));
    this.#queue = new LaneQueue({
      workers: () => this.alive,
      gate: options.gate,
      onReconsider: () => this.#dispatch(),
    });
  }

  /** The number of workers that are ready or busy, 0..size. */
  get alive(): number {
    return this.#slots.filter(({ worker }) => worker.usable).length;
  }

  /**
   * The numbers of queued and running jobs. An aborted job counts as running until its worker is
   * free.
   */
  get load(): LoadByLane {
    return this.#queue.load;
  }

  /** The first worker's description of itself. All workers start with the same models. */
  get ready(): Ready {
    return this.#ready;
  }

  /**
   * Rejects a job that `run` would reject now.
   *
   * @throws InferenceOverloaded if the tenant has used up its share of the queue, or the queue is
   *   full; InferenceUnavailable if no worker is left or the pool is closed
   */
  requireRoom(tenant: Tenant): void {
    this.#assertAccepting();
    if (this.#idle.length > 0 || laneOf(tenant) === 'background') return;
    const admission = this.#places.admits(tenant, 1);
    if (admission === 'admitted') return;
    this.#options.observer.jobRefused(admission);
    throw new InferenceOverloaded(this.#retryAfterSeconds());
  }

  /**
   * Processes one job. The caller must not use the buffers in `transfer` afterwards.
   *
   * @throws the worker's domain error; InferenceOverloaded and InferenceUnavailable as
   *   `requireRoom` does; AnalysisFailed if the worker dies or fails otherwise; the signal's reason
   *   as soon as it aborts
   */
  async run(job: Job, options: JobOptions = {}): Promise<Result> {
    const { tenant = NO_TENANT, signal } = options;
    signal?.throwIfAborted();
    this.requireRoom(tenant);
    const pending = new PendingJob<Job, Result>(job, options);
    // The job passes through the queue even if a worker is idle, so that it counts as a turn of its tenant.
    this.#enqueue(tenant, pending);
    this.#dispatch();
    return pending.outcome;
  }

  /**
   * Accepts no more jobs, waits for those in flight, and then ends the threads. If the signal
   * aborts, the remaining jobs fail with InferenceUnavailable.
   */
  async close(signal?: AbortSignal): Promise<void> {
    this.#closing = true;
    this.#queue.close();
    for (const slot of this.#slots) slot.retire();
    this.#dispatch();
    const force = !(await this.#drainedBefore(signal));
    if (force) this.#failQueue();
    clearTimeout(this.#wake ?? undefined);
    await Promise.all(this.#slots.map((slot) => slot.close({ force })));
    this.#queue.leave();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #openSlots(): Promise<void> {
    const { startsInTurn = false, sizeAfterFirst, signal } = this.#options;
    let { size } = this.#options;
    for (let index = 0; index < size; index++) {
      signal?.throwIfAborted();
      const slot = this.#openSlot(index);
      this.#slots.push(slot);
      if (startsInTurn) await slot.worker.ready;
      if (index > 0 || size === 1 || sizeAfterFirst === undefined) continue;
      await slot.worker.ready;
      size = Math.min(size, sizeAfterFirst());
    }
    const [first] = await Promise.all(this.#slots.map(({ worker }) => worker.ready));
    signal?.throwIfAborted();
    this.#ready = first!;
  }

  /**
   * Waits for threads that are starting, because ending a thread while it loads a model may crash
   * the process.
   */
  async #endStart(): Promise<void> {
    for (const slot of this.#slots) slot.retire();
    await Promise.allSettled(this.#slots.map(({ worker }) => worker.ready));
    await this.close(AbortSignal.abort());
  }

  #openSlot(index: number): WorkerSlot<Job, Result, Ready> {
    const { script, startData, resourceLimits, jobLimits, onSlotVacated, observer } = this.#options;
    const options = {
      name: `inference-${index}`,
      workerData: startData(index),
      ...(resourceLimits && { resourceLimits }),
    };
    const slot = new WorkerSlot<Job, Result, Ready>({
      spawn: () => new PoolWorker(script, options, jobLimits),
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
  }

  #enqueue(tenant: Tenant, pending: PendingJob<Job, Result>): void {
    if (this.#idle.length === 0 && laneOf(tenant) === 'interactive') {
      this.#places.take(tenant, 1);
      pending.onDequeued = () => this.#places.giveBack(tenant, 1);
    }
    pending.onAbort = () => {
      if (this.#queue.delete(pending)) pending.onDequeued();
      this.#dispatch();
    };
    this.#queue.push(tenant, pending);
  }

  /** Gives queued jobs to idle workers, or fails the jobs if no worker is left or expected. */
  #dispatch(): void {
    while (this.#idle.length > 0) {
      const turn = this.#queue.take();
      if (turn === undefined) break;
      turn.item.onDequeued();
      void this.#serve(this.#takeIdle(), turn);
    }
    this.#countIdle();
    if (this.#idle.length > 0) this.#dispatchLater();
    if (this.#slots.every(({ down }) => down)) this.#failQueue();
    if (this.#closing && this.#queue.isDone) this.#drained.resolve(true);
  }

  /** Removes an idle slot from the list, if possible one that does not help. */
  #takeIdle(): WorkerSlot<Job, Result, Ready> {
    const index = this.#idle.findLastIndex(({ worker }) => !worker.isHelping);
    return this.#idle.splice(index, 1)[0]!;
  }

  /** Lets idle workers take part in the work of a running job, at most one per core on which nothing runs. */
  #share({ work, helpers }: Share, lane: Lane): void {
    const able = this.#idle.filter(({ worker }) => !worker.isHelping);
    const free = this.#queue.freeFor(lane) - (this.#idle.length - able.length);
    for (const { worker } of able.slice(0, Math.max(0, Math.min(helpers, free)))) {
      void worker.help(work).then(() => this.#countIdle());
      this.#options.observer.helpStarted?.();
    }
    this.#countIdle();
  }

  #countIdle(): void {
    const able = this.#idle.filter(({ worker }) => !worker.isHelping);
    Atomics.store(this.#idleCount, 0, able.length);
  }

  /** Dispatches again once the free worker is no longer kept for interactive jobs. */
  #dispatchLater(): void {
    const { keptFreeMs } = this.#queue;
    if (this.#wake !== null || keptFreeMs === 0 || !this.#queue.waitsIn('background')) return;
    const wake = () => {
      this.#wake = null;
      this.#dispatch();
    };
    this.#wake = setTimeout(wake, keptFreeMs).unref();
  }

  async #serve(
    slot: WorkerSlot<Job, Result, Ready>,
    { item: pending, lane, ended }: Turn<PendingJob<Job, Result>>,
  ): Promise<void> {
    const { worker } = slot;
    const started = performance.now();
    this.#options.observer.jobStarted(started - pending.queuedAt, lane);
    pending.onAbort = () => worker.cancel();
    try {
      const onShare = (share: Share) => this.#share(share, lane);
      const { job, transfer } = pending;
      pending.resolve(await worker.run(job, { transfer, onShare }));
    } catch (error) {
      pending.reject(error);
    }
    ended();
    this.#recordServiceTime(performance.now() - started);
    this.#release(slot);
  }

  #release(slot: WorkerSlot<Job, Result, Ready>): void {
    if (slot.worker.usable) this.#idle.push(slot);
    this.#dispatch();
  }

  #failQueue(): void {
    for (const pending of this.#queue.clear()) {
      pending.onDequeued();
      pending.reject(noWorker());
    }
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

  /** Estimates the seconds until all interactive jobs have begun, from the recent service times. */
  #retryAfterSeconds(): number {
    const seconds =
      (this.#queue.load.interactive.queued * this.#meanServiceMs) / this.#slots.length / 1000;
    return Math.min(Math.max(1, Math.ceil(seconds)), MAX_RETRY_AFTER_SECONDS);
  }
}

function noWorker(): InferenceUnavailable {
  return new InferenceUnavailable('No inference worker is running; try again later.');
}
