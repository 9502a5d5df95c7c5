import { DomainError } from '@sightline/core/domain-error';
import type {
  AnalysisRequest,
  AnalyzerStatus,
  ImageAnalysis,
} from '@sightline/core/analysis/image-analyzer';
import type { Lane } from '@sightline/core/analysis/lane';
import type { Tenant } from '@sightline/core/analysis/tenant';
import { InferenceUnavailable } from '@sightline/core/models/model-errors';
import type { StageTiming } from './analyze-image.ts';
import { PixelBudget } from './image/pixel-budget.ts';
import {
  type ModelSet,
  type ModelSetOptions,
  maxWorkers,
  openModelSet,
  type ReadPacks,
} from './model-set.ts';
import { disableTelemetry } from './onnx/disable-telemetry.ts';
import type { SelectedPacks } from './packs/select-packs.ts';
import { detachable } from './pool/detachable.ts';
import type { LaneLoad, LoadByLane } from './pool/lane-queue.ts';
import type { PoolObserver } from './pool/pool-observer.ts';

/** Receives what happens in an engine. The methods must not throw. */
export interface EngineObserver extends PoolObserver {
  /** A stage of a successful analysis. */
  stageTimed(timing: StageTiming): void;
  /** An analysis failed with a domain error of this code. */
  analysisRefused(code: string): void;
}

export interface EngineOptions extends ModelSetOptions, ReadPacks {
  readonly observer: EngineObserver;
}

export interface EngineStatus extends AnalyzerStatus {
  /** Why CUDA is not used although it was requested; null if it is used or was not requested. */
  readonly fallbackReason: string | null;
  readonly workers: number;
  /** Images in the queue, and images that workers are processing. */
  readonly load: LoadByLane;
}

/**
 * Loads and warms the models. Resolves when all workers are ready. Call it on the main thread. The
 * contents that the packs come with are emptied, because nothing reads them later.
 *
 * @throws ModelLoadFailed
 */
export async function createEngine(options: EngineOptions): Promise<Engine> {
  disableTelemetry();
  // While models are replaced, two sets of workers exist, and each worker needs a share of its own.
  const memory = PixelBudget.allocate(2 * maxWorkers(options));
  const first = await openModelSet(options, { memory, firstShare: 0 }, options);
  options.contents?.clear();
  return new Engine(options, memory, first);
}

/**
 * Analyzes images in worker threads with one face model and one object model, which can be replaced
 * while it runs.
 */
export class Engine implements AsyncDisposable {
  readonly #options: EngineOptions;
  readonly #pixelMemory: SharedArrayBuffer;
  #current: ModelSet;
  /** Whether the current set uses the second half of the budget's shares. */
  #secondHalf = false;
  /** The replaced set, until it has finished its last image. */
  #previous: { readonly set: ModelSet; readonly closed: Promise<void> } | null = null;
  #activations: Promise<unknown> = Promise.resolve();
  #closing = false;

  /** Use {@link createEngine}. */
  constructor(options: EngineOptions, pixelMemory: SharedArrayBuffer, first: ModelSet) {
    this.#options = options;
    this.#pixelMemory = pixelMemory;
    this.#current = first;
  }

  status(): EngineStatus {
    const { pool, models, provider, fallbackReason } = this.#current;
    return {
      ready: !this.#closing && pool.alive > 0,
      provider,
      models,
      fallbackReason,
      workers: pool.alive,
      load: this.#load(),
    };
  }

  /** Like core's ImageAnalyzer.requireRoom, with the same errors. */
  requireRoom(tenant: Tenant): void {
    this.#current.pool.requireRoom(tenant);
  }

  /**
   * Like core's ImageAnalyzer.analyze, with the same errors. If the array of `request.image` owns
   * its whole buffer, the buffer is transferred and the array is empty afterwards.
   */
  async analyze(
    { tenant, ...request }: AnalysisRequest,
    signal?: AbortSignal,
  ): Promise<ImageAnalysis> {
    const { observer } = this.#options;
    const image = detachable(request.image);
    try {
      const { analysis, timings } = await this.#current.pool.run(
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
   * Loads and warms new models, then switches to them. The previous models finish the images they
   * already have. Resolves with the switch; until the previous set is done, both are in memory.
   *
   * @throws ModelLoadFailed; the previous models then stay active
   */
  activate(packs: SelectedPacks): Promise<void> {
    if (this.#closing) return Promise.reject(shuttingDown());
    const activation = this.#activations.then(() => this.#replaceModels(packs));
    this.#activations = activation.catch(() => undefined);
    return activation;
  }

  /**
   * Takes no more images and waits for those in flight. When the signal aborts, the remaining ones
   * fail with InferenceUnavailable.
   */
  async close(signal?: AbortSignal): Promise<void> {
    this.#closing = true;
    await Promise.all([this.#current.pool.close(signal), this.#previous?.set.pool.close(signal)]);
    await this.#activations;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** Of the current set, and of the replaced one until it has finished. */
  #load(): LoadByLane {
    const current = this.#current.pool.load;
    const previous = this.#previous?.set.pool.load;
    if (previous === undefined) return current;
    const both = (lane: Lane): LaneLoad => ({
      queued: current[lane].queued + previous[lane].queued,
      running: current[lane].running + previous[lane].running,
      environmentsQueued: Math.max(
        current[lane].environmentsQueued,
        previous[lane].environmentsQueued,
      ),
    });
    return { interactive: both('interactive'), background: both('background') };
  }

  async #replaceModels(packs: SelectedPacks): Promise<void> {
    // The new workers take over the shares of the set before the current one.
    await this.#previous?.closed;
    const firstShare = this.#secondHalf ? 0 : maxWorkers(this.#options);
    const budget = { memory: this.#pixelMemory, firstShare };
    const next = await openModelSet(packs, budget, this.#options);
    if (this.#closing) {
      await next.pool.close();
      throw shuttingDown();
    }
    const set = this.#current;
    this.#current = next;
    this.#secondHalf = !this.#secondHalf;
    const previous = { set, closed: set.pool.close() };
    this.#previous = previous;
    void previous.closed.then(() => (this.#previous = null));
  }
}

function shuttingDown(): InferenceUnavailable {
  return new InferenceUnavailable('Inference is shutting down.');
}
