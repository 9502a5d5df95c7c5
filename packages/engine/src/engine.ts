import type {
  AnalyzerStatus,
  HeldModel,
  NamedModels,
} from '@sightline/core/models/analyzer-status';
import type { AnalysisRequest, ImageAnalysis } from '@sightline/core/analysis/image-analyzer';
import type { Lane } from '@sightline/core/analysis/lane';
import type { Tenant } from '@sightline/core/analysis/tenant';
import { DomainError } from '@sightline/core/domain-error';
import { InferenceUnavailable, ModelNotHere } from '@sightline/core/models/model-errors';
import type { ActiveModel } from '@sightline/core/models/model';
import type { HostWish } from '@sightline/core/models/model-hosts';
import type { StageTiming } from './analyze-image.ts';
import { PixelBudget } from './image/pixel-budget.ts';
import './image/sharp.ts';
import { HeldSets, type OpenSetOptions, type SetChange } from './held-sets.ts';
import {
  isCudaThere,
  type ModelSet,
  type ModelSetOptions,
  maxWorkers,
  openModelSet,
  type ReadPacks,
  type SetPlace,
} from './model-set.ts';
import { disableTelemetry } from './onnx/disable-telemetry.ts';
import type { PackSource } from './packs/pack-source.ts';
import { detachable } from './pool/detachable.ts';
import { LaneGate } from './pool/lane-gate.ts';
import type { LaneLoad, LoadByLane } from './pool/lane-queue.ts';
import type { PoolObserver } from './pool/pool-observer.ts';
import { revisionsOf, type WishedSet } from './wished-set.ts';

/** Receives what happens in an engine. The methods must not throw. */
export interface EngineObserver extends PoolObserver {
  /** A stage of a successful analysis. */
  stageTimed(timing: StageTiming): void;
  /** An analysis failed with a domain error of this code. */
  analysisRefused(code: string): void;
  /** A set of models was loaded, could not be, or has ended. Absent: not told. */
  setChanged?(change: SetChange): void;
}

export interface EngineOptions extends ModelSetOptions, ReadPacks {
  readonly observer: EngineObserver;
  /** Where further packs come from; absent: there are none. */
  readonly source?: PackSource | undefined;
}

export interface EngineStatus extends AnalyzerStatus {
  readonly held: readonly HeldModel[];
  readonly found: readonly ActiveModel[];
  readonly hasGpu: boolean;
  /** Whether it holds the models that are wished first: those that requests name. */
  readonly hasPreferred: boolean;
  /** Why CUDA is not used although it was requested; null if it is used or was not requested. */
  readonly fallbackReason: string | null;
  /** Of the set that answers requests which name no models. */
  readonly workers: number;
  /** Sets of models that are warm: one, or two while one follows the other. */
  readonly sets: number;
  /** Images in the queues, and images that workers are processing. */
  readonly load: LoadByLane;
}

const NO_SOURCE: PackSource = { found: [], find: () => Promise.resolve(null) };

/**
 * Loads and warms the models. Resolves when all workers are ready. Call it on the main thread. The
 * contents that the packs come with are emptied, because nothing reads them later.
 *
 * @throws ModelLoadFailed
 */
export async function createEngine(options: EngineOptions): Promise<Engine> {
  disableTelemetry();
  const places = placesOf(options);
  const first = await openModelSet(options, places(0, { startsInTurn: false }), options);
  options.contents?.clear();
  return new Engine(options, places, first);
}

type Places = (
  place: OpenSetOptions['place'],
  start: Pick<SetPlace, 'startsInTurn' | 'signal'>,
) => SetPlace;

/** While one set follows another there are two, and each worker needs a share of its own. */
function placesOf(options: EngineOptions): Places {
  const memory = PixelBudget.allocate(2 * maxWorkers(options));
  const gate = new LaneGate();
  return (place, start) => ({
    ...start,
    budget: { memory, firstShare: place * maxWorkers(options) },
    gate,
  });
}

/**
 * Analyzes images in worker threads. Holds one or two sets of models, each with one face model and one
 * object model at most, and exchanges them while it runs.
 */
export class Engine implements AsyncDisposable {
  readonly #options: EngineOptions;
  readonly #sets: HeldSets;
  #closing = false;

  /** Use {@link createEngine}. */
  constructor(options: EngineOptions, places: Places, first: ModelSet) {
    this.#options = options;
    const wish = { provider: this.#providerFor('auto'), ...namesOf(options) };
    this.#sets = new HeldSets(
      { wish, set: first },
      {
        source: options.source ?? NO_SOURCE,
        open: ({ place, signal, provider, ...packs }) =>
          openModelSet(packs, places(place, { startsInTurn: true, signal }), {
            ...options,
            provider,
          }),
        onChange: (change) => options.observer.setChanged?.(change),
      },
    );
  }

  status(): EngineStatus {
    const { pool, models, provider, fallbackReason } = this.#sets.preferred;
    return {
      ready: !this.#closing && pool.alive > 0,
      provider,
      models,
      held: this.#sets.held,
      found: (this.#options.source ?? NO_SOURCE).found,
      hasGpu: isCudaThere(),
      hasPreferred: this.#sets.hasPreferred,
      fallbackReason,
      workers: pool.alive,
      sets: this.#sets.size,
      load: this.#load(),
    };
  }

  /** Like core's ImageAnalyzer.requireRoom, with the same errors. */
  requireRoom(tenant: Tenant): void {
    this.#sets.preferred.pool.requireRoom(tenant);
  }

  /**
   * Like core's ImageAnalyzer.analyze, with the same errors. The set that has all models that the request
   * names answers it. If the array of `request.image` owns its whole buffer, the buffer is transferred and
   * the array is empty afterwards, unless no set has them.
   */
  async analyze(
    { tenant, models = {}, ...request }: AnalysisRequest,
    signal?: AbortSignal,
  ): Promise<ImageAnalysis> {
    const { observer } = this.#options;
    const set = this.#sets.find(models);
    if (set === null) throw new ModelNotHere('This process does not hold a model of the request.');
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
   * Begins to hold what is wished, as core's ModelHosts.hold says it; the status says how far it is. A newer
   * wish replaces an older one that is still being carried out.
   *
   * @throws InferenceUnavailable while the engine closes
   */
  hold({ provider, sets }: HostWish): void {
    if (this.#closing) throw new InferenceUnavailable('Inference is shutting down.');
    const wished = sets
      .filter((names) => revisionsOf(names).length > 0)
      .map(({ face, object }): WishedSet => ({
        provider: this.#providerFor(provider),
        face,
        object,
      }));
    this.#sets.wish(wished);
  }

  /** Resolves when all that is wished is warm, or has failed. */
  settled(): Promise<void> {
    return this.#sets.settled();
  }

  /**
   * Takes no more images and waits for those in flight. When the signal aborts, the remaining ones
   * fail with InferenceUnavailable.
   */
  async close(signal?: AbortSignal): Promise<void> {
    this.#closing = true;
    this.#options.source?.[Symbol.dispose]?.();
    await this.#sets.close(signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** The configuration may keep a process from its GPU; a wish cannot give it one. */
  #providerFor(wanted: HostWish['provider']): WishedSet['provider'] {
    const { provider, requiresCuda = false } = this.#options;
    if (requiresCuda) return provider;
    return wanted === 'cpu' || !isCudaThere() ? 'cpu' : provider;
  }

  #load(): LoadByLane {
    const loads = this.#sets.all.map(({ pool }) => pool.load);
    const sum = (lane: Lane): LaneLoad => ({
      queued: total(loads.map((load) => load[lane].queued)),
      running: total(loads.map((load) => load[lane].running)),
      environmentsQueued: Math.max(0, ...loads.map((load) => load[lane].environmentsQueued)),
    });
    return { interactive: sum('interactive'), background: sum('background') };
  }
}

function namesOf({ face, object }: ReadPacks): NamedModels {
  return { face: face?.revision, object: object?.revision };
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0);
}
