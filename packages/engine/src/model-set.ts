import { availableParallelism } from 'node:os';
import type { AnalysisRequest } from '@sightline/core/analysis/image-analyzer';
import type { ActiveModel, ExecutionProvider } from '@sightline/core/models/model';
import type { ImageLimits } from '@sightline/core/sources/image-limits';
import { PixelBudget } from './image/pixel-budget.ts';
import { availableProviders } from './onnx/session.ts';
import type { SelectedPacks } from './packs/select-packs.ts';
import type { PoolObserver } from './pool/pool-observer.ts';
import { WorkerPool } from './pool/worker-pool.ts';
import type { AnalysisAnswer, AnalysisStart, WorkerModels } from './pool/worker.ts';

/** Far above what an analysis needs; keeps a runaway from taking the machine's memory. */
const HEAP_LIMIT_MB = 1024;

export interface ModelSetOptions {
  /** `auto` and `cuda` take CUDA where it works, else the CPU; `cuda` has the reason told. */
  readonly provider: 'auto' | ExecutionProvider;
  /** Number of worker threads; default: one per core, or one alone on CUDA. */
  readonly workers?: number;
  /** Threads that one operator of a model may use; default 1, because workers take the cores. */
  readonly intraOpThreads?: number;
  /** How many images may wait while all workers are busy. */
  readonly queueLimit: number;
  readonly limits: ImageLimits;
  readonly observer: PoolObserver;
}

/** A part of the pixel budget: its memory, and the share of a set's first worker in it. */
export interface BudgetPart {
  readonly memory: SharedArrayBuffer;
  readonly firstShare: number;
}

type AnalysisPool = WorkerPool<AnalysisRequest, AnalysisAnswer, WorkerModels>;

/** Warm workers that all hold the same models. */
export interface ModelSet {
  readonly pool: AnalysisPool;
  readonly models: readonly ActiveModel[];
  readonly provider: ExecutionProvider;
  /** Why CUDA is not in use although it was wanted; null if it is or was not wanted. */
  readonly fallbackReason: string | null;
}

/** How many workers a set has at most, whichever provider it ends up with. */
export function mostWorkers({ workers }: Pick<ModelSetOptions, 'workers'>): number {
  return workers ?? availableParallelism();
}

/**
 * Loads and warms the models of the packs in every worker of a new pool.
 *
 * @throws ModelLoadFailed
 */
export async function openModelSet(
  packs: SelectedPacks,
  budget: BudgetPart,
  options: ModelSetOptions,
): Promise<ModelSet> {
  const openOn = async (provider: ExecutionProvider, fallbackReason: string | null) => {
    const pool = await openPool({ packs, budget, options, provider });
    return { pool, models: pool.ready.models, provider, fallbackReason };
  };
  if (options.provider === 'cpu') return openOn('cpu', null);
  if (!availableProviders().includes('cuda')) {
    return openOn('cpu', options.provider === 'cuda' ? 'CUDA is not available.' : null);
  }
  try {
    return await openOn('cuda', null);
  } catch (error) {
    return openOn('cpu', `CUDA failed: ${(error as Error).message}`);
  }
}

function openPool(plan: {
  readonly packs: SelectedPacks;
  readonly budget: BudgetPart;
  readonly options: ModelSetOptions;
  readonly provider: ExecutionProvider;
}): Promise<AnalysisPool> {
  const { packs, provider } = plan;
  const { memory, firstShare } = plan.budget;
  const { workers, intraOpThreads = 1, queueLimit, limits, observer } = plan.options;
  return WorkerPool.start({
    script: new URL('./pool/worker.ts', import.meta.url),
    size: workers ?? (provider === 'cuda' ? 1 : availableParallelism()),
    queueLimit,
    startData: (slot): AnalysisStart => ({
      packs,
      limits,
      session: { provider, intraOpThreads },
      budget: { memory, share: firstShare + slot },
    }),
    onSlotVacated: (slot) => PixelBudget.reclaim(memory, firstShare + slot),
    resourceLimits: { maxOldGenerationSizeMb: HEAP_LIMIT_MB },
    observer,
  });
}
