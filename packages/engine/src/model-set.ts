import { availableParallelism } from 'node:os';
import type { AnalysisRequest } from '@sightline/core/analysis/image-analyzer';
import type { ActiveModel, ExecutionProvider } from '@sightline/core/models/model';
import { ModelLoadFailed } from '@sightline/core/models/model-errors';
import type { ImageLimits } from '@sightline/core/sources/image-limits';
import { PixelBudget } from './image/pixel-budget.ts';
import { availableProviders } from './onnx/session.ts';
import { CUDA_FAILED, CUDA_UNAVAILABLE } from './packs/load-failure.ts';
import type { ModelContents } from './packs/model-contents.ts';
import { readPacks } from './packs/read-packs.ts';
import type { SelectedPacks } from './packs/select-packs.ts';
import type { LaneGate } from './pool/lane-gate.ts';
import type { PoolObserver } from './pool/pool-observer.ts';
import { threadsWithin } from './pool/threads-within.ts';
import { usedMemory } from './pool/used-memory.ts';
import { WorkerPool } from './pool/worker-pool.ts';
import type { AnalysisAnswer, AnalysisStart, WorkerModels } from './pool/worker.ts';

/**
 * The heap limit of a worker, far above what an analysis needs. The limit keeps a runaway worker
 * from using up the machine's memory.
 */
const HEAP_LIMIT_MB = 1024;

export interface ModelSetOptions {
  /**
   * `auto` and `cuda` use CUDA if it works, and otherwise the CPU. With `cuda`, the status also
   * reports why CUDA did not work.
   */
  readonly provider: 'auto' | ExecutionProvider;
  /**
   * Whether models that do not work on CUDA are rejected instead of run on the CPU; default: false.
   */
  readonly requiresCuda?: boolean;
  /**
   * The most worker threads; default: one per core, or a single thread on CUDA. Fewer start if the models of all of them
   * would need too much memory.
   */
  readonly workers?: number;
  /** The memory in bytes that the process may use; default: any. */
  readonly memoryLimit?: number;
  /**
   * The number of threads per operator of a model; default: 1, because the workers use the cores.
   */
  readonly intraOpThreads?: number;
  /** The maximum number of images that wait while all workers are busy. */
  readonly queueLimit: number;
  readonly limits: ImageLimits;
  readonly observer: PoolObserver;
}

/**
 * The place of the shares of the pixel budget that a set of models has. `memory` is the shared memory of the whole budget;
 * `firstShare` is the index of the first worker's share.
 */
export interface BudgetPart {
  readonly memory: SharedArrayBuffer;
  readonly firstShare: number;
}

export interface SetResources {
  readonly budget: BudgetPart;
  readonly gate: LaneGate;
  /**
   * Whether to start one worker at a time, which leaves cores to a set that answers requests during
   * the start.
   */
  readonly startsInTurn: boolean;
  /** The memory of the process without models, in bytes. */
  readonly baseMemory: number;
  readonly signal?: AbortSignal | undefined;
}

/** Packs, and the contents of files that were already read during discovery. */
export interface ReadPacks extends SelectedPacks {
  readonly contents?: ModelContents;
}

type AnalysisPool = WorkerPool<AnalysisRequest, AnalysisAnswer, WorkerModels>;

export interface ModelSet {
  readonly pool: AnalysisPool;
  readonly models: readonly ActiveModel[];
  readonly provider: ExecutionProvider;
  /**
   * The reason why CUDA is not used although it was requested; null if it is used or was not
   * requested.
   */
  readonly fallbackReason: string | null;
  readonly deaths: number;
  /** The memory in bytes of a process with this set alone, measured when the set was warm. */
  readonly memoryBytes: number;
}

/** Returns the maximum number of workers that a set can have, on any provider. */
export function maxWorkers({ workers }: Pick<ModelSetOptions, 'workers'>): number {
  return workers ?? availableParallelism();
}

/**
 * Loads and warms the models of the packs in every worker of a new pool. Their files are read once
 * for all workers. A worker that later replaces a crashed worker reads the files itself.
 *
 * @throws ModelLoadFailed, or the signal's reason on abort, after all threads have ended
 */
export async function openModelSet(
  packs: ReadPacks,
  resources: SetResources,
  options: ModelSetOptions,
): Promise<ModelSet> {
  const before = usedMemory();
  const contents = await readPacks([packs.face, packs.object], packs.contents);
  try {
    const set = await openOnProvider({ packs, contents, resources, options });
    const own = Math.max(0, usedMemory() - before);
    return Object.assign(set, { memoryBytes: resources.baseMemory + own });
  } finally {
    // The pool keeps the start data of its threads for replacements, and would keep the contents
    // with it.
    contents.clear();
  }
}

type OpenedSet = Omit<ModelSet, 'memoryBytes'>;

interface PoolPlan {
  readonly packs: SelectedPacks;
  readonly contents: ModelContents;
  readonly resources: SetResources;
  readonly options: ModelSetOptions;
  readonly provider: ExecutionProvider;
}

async function openOnProvider(plan: Omit<PoolPlan, 'provider'>): Promise<OpenedSet> {
  const requested = plan.options.provider;
  if (requested === 'cpu') return openSet({ ...plan, provider: 'cpu' }, null);
  if (!isCudaAvailable()) return fallBack(plan, requested === 'cuda' ? CUDA_UNAVAILABLE : null);
  try {
    return await openSet({ ...plan, provider: 'cuda' }, null);
  } catch (error) {
    plan.resources.signal?.throwIfAborted();
    return fallBack(plan, `${CUDA_FAILED}${(error as Error).message}`, error);
  }
}

async function fallBack(
  plan: Omit<PoolPlan, 'provider'>,
  reason: string | null,
  cause?: unknown,
): Promise<OpenedSet> {
  if (plan.options.requiresCuda && reason !== null)
    throw new ModelLoadFailed(reason, {}, { cause });
  return openSet({ ...plan, provider: 'cpu' }, reason);
}

/**
 * Returns whether the runtime includes CUDA and finds a device. Loading a model may fail
 * nevertheless.
 */
export function isCudaAvailable(): boolean {
  return availableProviders().includes('cuda');
}

async function openSet(plan: PoolPlan, fallbackReason: string | null): Promise<OpenedSet> {
  const { observer } = plan.options;
  let deaths = 0;
  const counting: PoolObserver = {
    jobStarted: (waited, lane) => observer.jobStarted(waited, lane),
    jobRefused: (cause) => observer.jobRefused(cause),
    helpStarted: () => observer.helpStarted?.(),
    workerLost: (reason) => {
      deaths++;
      observer.workerLost(reason);
    },
  };
  const pool = await openPool(plan, counting);
  deaths = 0;
  return {
    pool,
    models: pool.ready.models,
    provider: plan.provider,
    fallbackReason,
    get deaths() {
      return deaths;
    },
  };
}

function openPool(plan: PoolPlan, observer: PoolObserver): Promise<AnalysisPool> {
  const {
    packs: { face, object },
    contents,
    provider,
  } = plan;
  const { budget, gate, startsInTurn, baseMemory, signal } = plan.resources;
  const { memory, firstShare } = budget;
  const { workers, intraOpThreads = 1, queueLimit, limits } = plan.options;
  const { memoryLimit = Infinity } = plan.options;
  const before = usedMemory();
  const idleCount = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  return WorkerPool.start({
    script: new URL('./pool/worker.ts', import.meta.url),
    size: workers ?? (provider === 'cuda' ? 1 : availableParallelism()),
    sizeAfterFirst: () =>
      threadsWithin({ limit: memoryLimit, base: baseMemory, thread: usedMemory() - before }),
    queueLimit,
    startData: (slot): AnalysisStart => ({
      packs: { face, object },
      contents,
      limits,
      session: { provider, intraOpThreads },
      budget: { memory, share: firstShare + slot },
      idleCount,
    }),
    idleCount,
    onSlotVacated: (slot) => PixelBudget.reclaim(memory, firstShare + slot),
    resourceLimits: { maxOldGenerationSizeMb: HEAP_LIMIT_MB },
    gate,
    startsInTurn,
    signal,
    observer,
  });
}
