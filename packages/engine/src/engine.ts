import type { AnalyzerStatus } from '@sightline/core/models/analyzer-status';
import type { AnalysisRequest, ImageAnalysis } from '@sightline/core/analysis/image-analyzer';
import type { Lane } from '@sightline/core/analysis/lane';
import type { Tenant } from '@sightline/core/analysis/tenant';
import { DomainError } from '@sightline/core/domain-error';
import {
  InferenceUnavailable,
  type ModelLoadFailed,
  ModelNotHere,
} from '@sightline/core/models/model-errors';
import type { ActiveModel } from '@sightline/core/models/model';
import type { DesiredModel, DesiredModels } from '@sightline/core/models/desired-models';
import type { StageTiming } from './analyze-image.ts';
import { PixelBudget } from './image/pixel-budget.ts';
import './image/sharp.ts';
import {
  isCudaAvailable,
  type ModelSetOptions,
  maxWorkers,
  openModelSet,
  type ReadPacks,
} from './model-set.ts';
import { disableTelemetry } from './onnx/disable-telemetry.ts';
import type { ModelPack } from './packs/manifest.ts';
import type { PackSource } from './packs/pack-source.ts';
import { detachable } from './pool/detachable.ts';
import { LaneGate } from './pool/lane-gate.ts';
import type { LaneLoad, LoadByLane } from './pool/lane-queue.ts';
import type { PoolObserver } from './pool/pool-observer.ts';
import { usedMemory } from './pool/used-memory.ts';
import type { DesiredSet } from './serving/desired-set.ts';
import { HeldModels } from './serving/held-models.ts';
import type { SetChange } from './serving/held-sets.ts';
import type { Partition } from './serving/set-life.ts';

export interface EngineObserver extends PoolObserver {
  /** Reports one stage of a successful analysis. */
  stageTimed(timing: StageTiming): void;
  /** Reports that an analysis failed with a domain error of this code. */
  analysisRefused(code: string): void;
  setChanged?(change: SetChange): void;
}

export interface EngineOptions extends ModelSetOptions {
  readonly observer: EngineObserver;
  /**
   * Fetches model packs that a desired state names. Without it, the engine has only the packs with which it was
   * created.
   */
  readonly source?: PackSource | undefined;
  /** The pause in ms before the first retry of a failed fetch or load; default: 5 s. */
  readonly retryMs?: number | undefined;
}

export interface EngineStatus extends AnalyzerStatus {
  readonly found: readonly ActiveModel[];
  readonly hasGpu: boolean;
  /**
   * The reason why CUDA is not used although it was requested; null if it is used or was not
   * requested.
   */
  readonly fallbackReason: string | null;
  /** The number of workers of the set that answers requests without model names. */
  readonly workers: number;
  /** The memory in bytes of the process with that set, measured when it was warm; null if no set is warm. */
  readonly memoryBytes: number | null;
  /**
   * The number of warm sets of models: two while a new set replaces the old one, otherwise at most
   * one.
   */
  readonly sets: number;
  /** The number of images in the queues and of images that workers are processing. */
  readonly load: LoadByLane;
}

/**
 * Creates an engine and resolves when its models are loaded and warm in all workers. The caller
 * must be on the main thread. The engine empties `contents`, because nothing reads them after the
 * models are loaded.
 *
 * @throws ModelLoadFailed
 */
export async function createEngine({
  face,
  object,
  contents,
  ...options
}: EngineOptions & ReadPacks): Promise<Engine> {
  const packs = [face, object].filter((pack) => pack !== null);
  const engine = new Engine({ ...options, source: withFirst(packs, options.source), contents });
  engine.hold({ provider: 'auto', models: packs.map(toDesired) });
  await engine.settled();
  contents?.clear();
  const { failure } = engine;
  if (failure === null) return engine;
  await engine.close();
  throw failure;
}

function toDesired({ manifest: { name, task }, revision }: ModelPack): DesiredModel {
  return { task, name, revision, keep: 'loaded' };
}

function withFirst(packs: readonly ModelPack[], source = NO_SOURCE): PackSource {
  return {
    get found() {
      return source.found;
    },
    find: async (revision, signal) =>
      packs.find((pack) => pack.revision === revision) ?? source.find(revision, signal),
    [Symbol.dispose]: () => source[Symbol.dispose]?.(),
  };
}

const NO_SET = {
  pool: { alive: 0 },
  provider: 'cpu',
  models: [],
  fallbackReason: null,
  memoryBytes: null,
} as const;
const NO_SOURCE: PackSource = { found: [], find: () => Promise.resolve(null) };

/**
 * Analyzes images in worker threads. Holds at most two sets of models, each with at most one face
 * model and one object model, and can replace them while it runs. The engine answers no requests
 * until the first set is warm.
 */
export class Engine implements AsyncDisposable {
  readonly #options: EngineOptions;
  readonly #models: HeldModels;
  #closing = false;

  constructor({ contents, ...options }: EngineOptions & Pick<ReadPacks, 'contents'>) {
    disableTelemetry();
    this.#options = options;
    // While a set of models replaces another, both exist, and each worker of both needs a share of the pixel budget.
    const memory = PixelBudget.allocate(2 * maxWorkers(options));
    const gate = new LaneGate();
    const baseMemory = usedMemory();
    const budgetOf = (partition: Partition) => ({
      memory,
      firstShare: partition * maxWorkers(options),
    });
    this.#models = new HeldModels({
      source: options.source ?? NO_SOURCE,
      open: ({ face, object, partition, isBeside, signal, provider }) =>
        openModelSet(
          { face, object, ...(contents && { contents }) },
          { budget: budgetOf(partition), gate, startsInTurn: isBeside, baseMemory, signal },
          // The first set gets the configured provider even if that is CUDA and no GPU is available. The set then
          // falls back to the CPU itself, and its status shows why.
          { ...options, provider: isBeside ? provider : options.provider },
        ),
      onChange: (change) => options.observer.setChanged?.(change),
      providerFor: (desired) => this.#providerFor(desired),
      retryMs: options.retryMs,
    });
  }

  status(): EngineStatus {
    const { warm } = this.#models.sets;
    const { pool, provider, models, fallbackReason, memoryBytes } = warm[0] ?? NO_SET;
    return {
      ready: !this.#closing && pool.alive > 0,
      provider,
      models,
      report: this.#models.report,
      found: this.#models.found,
      hasGpu: isCudaAvailable(),
      fallbackReason,
      workers: pool.alive,
      memoryBytes,
      sets: warm.length,
      load: this.#load(),
    };
  }

  /** Whether no image waits and no worker processes one, even one whose caller has left. */
  get isIdle(): boolean {
    const { interactive, background } = this.#load();
    return [interactive, background].every(({ queued, running }) => queued + running === 0);
  }

  /** Does what core's ImageAnalyzer.requireRoom specifies, with the same errors. */
  requireRoom(tenant: Tenant): void {
    // Without a warm set there is no queue that could be full. The analysis then fails with the
    // error that names the missing model.
    this.#models.sets.warm[0]?.pool.requireRoom(tenant);
  }

  /**
   * Does what core's ImageAnalyzer.analyze specifies, with the same errors. A set that has all
   * models named in the request answers it. If the array of `request.image` owns its whole buffer,
   * the engine transfers the buffer and leaves the array empty, unless no set has the named models.
   */
  async analyze(
    { tenant, models = {}, ...request }: AnalysisRequest,
    signal?: AbortSignal,
  ): Promise<ImageAnalysis> {
    const { observer } = this.#options;
    const set = this.#models.find(models);
    if (set === null) throw notHere();
    const image = detachable(request.image);
    try {
      const { analysis, timings } = await set.pool.run(
        { ...request, image },
        { transfer: [image.buffer], signal, tenant },
      );
      for (const timing of timings) observer.stageTimed(timing);
      return analysis;
    } catch (error) {
      if (error instanceof DomainError) observer.analysisRefused(error.code);
      throw error;
    }
  }

  /**
   * Begins to apply a desired state as defined by core's ModelHosts.hold. The status reports the
   * progress. A newer state replaces an older state that is still being applied.
   *
   * @throws InferenceUnavailable while the engine closes
   */
  hold(desired: DesiredModels): void {
    if (this.#closing) throw new InferenceUnavailable('Inference is shutting down.');
    this.#models.hold(desired);
  }

  /**
   * Resolves when every desired model is warm or has failed.
   *
   * @throws the signal's reason on abort
   */
  settled(signal?: AbortSignal): Promise<void> {
    return this.#models.sets.settled(signal);
  }

  /**
   * Resolves when a set is warm, after any number of retries.
   *
   * @throws the signal's reason on abort
   */
  warm(signal: AbortSignal): Promise<void> {
    return this.#models.sets.firstWarm(signal);
  }

  /** The reason why no set is warm; null if a set is warm or if no set has failed. */
  get failure(): ModelLoadFailed | null {
    const { warm, error } = this.#models.sets;
    return warm.length > 0 ? null : error;
  }

  /**
   * Accepts no more images and waits for those in flight. If the signal aborts, images still in
   * flight fail with InferenceUnavailable.
   */
  async close(signal?: AbortSignal): Promise<void> {
    this.#closing = true;
    await this.#models.close(signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /**
   * The provider for a new set of models. A desired state can select the CPU, but it cannot select a GPU if the
   * configuration forbids it. If the configuration requires CUDA, the desired state has no effect.
   */
  #providerFor(desired: DesiredModels['provider']): DesiredSet['provider'] {
    const { provider, requiresCuda = false } = this.#options;
    if (requiresCuda) return provider;
    return desired === 'cpu' || !isCudaAvailable() ? 'cpu' : provider;
  }

  #load(): LoadByLane {
    const loads = this.#models.sets.all.map(({ pool }) => pool.load);
    const sum = (lane: Lane): LaneLoad => ({
      queued: total(loads.map((load) => load[lane].queued)),
      running: total(loads.map((load) => load[lane].running)),
      environmentsQueued: Math.max(0, ...loads.map((load) => load[lane].environmentsQueued)),
    });
    return { interactive: sum('interactive'), background: sum('background') };
  }
}

function notHere(): ModelNotHere {
  return new ModelNotHere('This process has not loaded a model that the request names.');
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0);
}
