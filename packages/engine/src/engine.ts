import { DomainError } from '@sightline/core/domain-error';
import type {
  AnalysisRequest,
  AnalyzerStatus,
  ImageAnalysis,
} from '@sightline/core/analysis/image-analyzer';
import { InferenceUnavailable } from '@sightline/core/models/model-errors';
import type { StageTiming } from './analyze-image.ts';
import { PixelBudget } from './image/pixel-budget.ts';
import { type ModelSet, type ModelSetOptions, mostWorkers, openModelSet } from './model-set.ts';
import { disableTelemetry } from './onnx/disable-telemetry.ts';
import type { SelectedPacks } from './packs/select-packs.ts';
import { detachable } from './pool/detachable.ts';
import type { PoolObserver } from './pool/pool-observer.ts';

/** Told what an engine does; the methods must not throw. */
export interface EngineObserver extends PoolObserver {
  /** A stage of an analysis that succeeded. */
  stageTimed(timing: StageTiming): void;
  /** An analysis failed with an error of the domain, of this code. */
  analysisRefused(code: string): void;
}

export interface EngineOptions extends ModelSetOptions, SelectedPacks {
  readonly observer: EngineObserver;
}

export interface EngineStatus extends AnalyzerStatus {
  /** Why CUDA is not in use although it was wanted; null if it is or was not wanted. */
  readonly fallbackReason: string | null;
  readonly workers: number;
  /** Images that wait, and images that workers have. */
  readonly queued: number;
  readonly running: number;
}

/**
 * Loads and warms the models; the engine is ready when all of its workers are. To be called on the
 * main thread.
 *
 * @throws ModelLoadFailed
 */
export async function createEngine(options: EngineOptions): Promise<Engine> {
  disableTelemetry();
  // Two sets of workers exist while models are exchanged, and each worker has a share of its own.
  const memory = PixelBudget.allocate(2 * mostWorkers(options));
  const { face, object } = options;
  const first = await openModelSet({ face, object }, { memory, firstShare: 0 }, options);
  return new Engine(options, memory, first);
}

/** Analyzes images in worker threads with one face and one object model, which can be exchanged. */
export class Engine implements AsyncDisposable {
  readonly #options: EngineOptions;
  readonly #pixelMemory: SharedArrayBuffer;
  #current: ModelSet;
  /** Whether the current set has the second half of the budget's shares. */
  #secondHalf = false;
  /** The set that answered before, until its last image is done. */
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
    const load = pool.load;
    const earlier = this.#previous?.set.pool.load;
    return {
      ready: !this.#closing && pool.alive > 0,
      provider,
      models,
      fallbackReason,
      workers: pool.alive,
      queued: load.queued + (earlier?.queued ?? 0),
      running: load.running + (earlier?.running ?? 0),
    };
  }

  /**
   * As core's ImageAnalyzer.analyze, with the same errors. The memory of `request.image` is taken
   * away if the array owns all of it.
   */
  async analyze(request: AnalysisRequest, signal?: AbortSignal): Promise<ImageAnalysis> {
    const { observer } = this.#options;
    const image = detachable(request.image);
    try {
      const { analysis, timings } = await this.#current.pool.run(
        { ...request, image },
        { transfer: [image.buffer], signal },
      );
      for (const timing of timings) observer.stageTimed(timing);
      return analysis;
    } catch (error) {
      if (error instanceof DomainError) observer.analysisRefused(error.code);
      throw error;
    }
  }

  /**
   * Loads and warms other models, then lets them answer; images that the earlier ones have are
   * finished by those. Settles with the switch. Until the earlier ones are done, both are in memory.
   *
   * @throws ModelLoadFailed, and then the models that answered before go on
   */
  activate(packs: SelectedPacks): Promise<void> {
    if (this.#closing) return Promise.reject(shuttingDown());
    const activation = this.#activations.then(() => this.#exchange(packs));
    this.#activations = activation.catch(() => undefined);
    return activation;
  }

  /**
   * Takes no more images and lets those taken end. What is left when the signal aborts fails with
   * InferenceUnavailable.
   */
  async close(signal?: AbortSignal): Promise<void> {
    this.#closing = true;
    await Promise.all([this.#current.pool.close(signal), this.#previous?.set.pool.close(signal)]);
    await this.#activations;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #exchange(packs: SelectedPacks): Promise<void> {
    // The shares that the new workers get are those of the set before the current one.
    await this.#previous?.closed;
    const firstShare = this.#secondHalf ? 0 : mostWorkers(this.#options);
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
