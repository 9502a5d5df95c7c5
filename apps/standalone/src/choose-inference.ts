import type { Patience } from '@sightline/composition/await-dependency';
import {
  activateFirstModels,
  activateModels,
  type ActivationDeps,
} from '@sightline/composition/activate-models';
import { BATCH_PER_ADDRESS, openInference } from '@sightline/composition/open-inference';
import type { Watchers } from '@sightline/composition/watch-service';
import type { ImageAnalyzer } from '@sightline/core/analysis/image-analyzer';
import type { FollowModelsDeps } from '@sightline/core/reembedding/follow-models';
import { availableProviders } from '@sightline/engine/onnx/session';
import { LocalImageAnalyzer } from '@sightline/inference-local/local-image-analyzer';
import type { Config } from '@sightline/platform/config/parse-config';
import { readInferenceSettings } from '@sightline/platform/config/read-inference-settings';
import type { Logger } from '@sightline/platform/logging/logger';
import type { MetricsRegistry } from '@sightline/platform/metrics/metrics-registry';
import { openEngine } from '@sightline/model-host/open-engine';
import { openModels } from '@sightline/model-host/open-models';

/** When the listeners have stopped nobody waits for an image; this is for one that hangs. */
const CLOSE_TIMEOUT_MS = 5_000;

/** Models that run in this process, or elsewhere. */
export interface Inference extends AsyncDisposable {
  readonly analyzer: ImageAnalyzer;
  /** Images that background work analyzes at the same time. */
  readonly workers: number;
  /** Images of one batch that are analyzed at the same time. */
  readonly batchConcurrency: number;
  readonly gpuAvailable: (signal?: AbortSignal) => Promise<boolean>;
  /** What every process with models says of itself; null where they run in this one. */
  readonly statuses: FollowModelsDeps['statuses'] | null;
  /** Notes, at the start, which models answer. */
  readonly activate: (deps: ActivationDeps, signal: AbortSignal) => Promise<void>;
}

export interface InferenceDeps {
  readonly config: Config;
  readonly logger: Logger;
  readonly registry: MetricsRegistry;
  readonly patience: Patience & Watchers;
}

/**
 * Decides where models run, and finds those that are to run here; what it answers starts them.
 *
 * @throws StartError if there are none
 */
export async function chooseInference(deps: InferenceDeps): Promise<() => Promise<Inference>> {
  const { config, logger, patience } = deps;
  const settings = readInferenceSettings(config);
  if (settings !== null) {
    return async () => {
      const inference = await openInference(settings, patience);
      const { analyzer, hasGpu, addresses } = inference;
      const batchConcurrency = BATCH_PER_ADDRESS * addresses;
      return {
        ...{ analyzer, batchConcurrency, workers: batchConcurrency },
        gpuAvailable: hasGpu,
        statuses: (signal) => analyzer.statuses(signal),
        activate: (rest, signal) => activateFirstModels({ ...rest, analyzer }, signal),
        [Symbol.asyncDispose]: () => inference[Symbol.asyncDispose](),
      };
    };
  }
  const packs = await openModels({ config, logger, signal: patience.signal });
  return () => openLocal(packs, deps);
}

async function openLocal(
  packs: Awaited<ReturnType<typeof openModels>>,
  { config, logger, registry }: InferenceDeps,
): Promise<Inference> {
  const engine = await openEngine({ packs, config, logger, registry });
  const { workers } = engine.status();
  const analyzer = new LocalImageAnalyzer(engine);
  return {
    ...{ analyzer, workers },
    // One image at work and one at hand for each worker, as far as the queue holds them.
    batchConcurrency: workers + Math.min(workers, config.queueLimit),
    gpuAvailable: () => Promise.resolve(availableProviders().includes('cuda')),
    statuses: null,
    activate: (rest, signal) => activateModels({ ...rest, analyzer }, signal),
    [Symbol.asyncDispose]: () => engine.close(AbortSignal.timeout(CLOSE_TIMEOUT_MS)),
  };
}
