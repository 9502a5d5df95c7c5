import { activateModels } from '@sightline/composition/activate-models';
import type { StartupWait } from '@sightline/composition/await-dependency';
import type { OpenedInference } from '@sightline/composition/inference';
import { databaseControl } from '@sightline/composition/models/model-control';
import { openInference } from '@sightline/composition/open-inference';
import type { DependencyObservers } from '@sightline/composition/watch-service';
import { availableProviders } from '@sightline/engine/onnx/session';
import type { PackStore } from '@sightline/core/models/pack-store';
import { LocalImageAnalyzer } from '@sightline/analysis/local/local-image-analyzer';
import { type EngineDeps, openEngine } from '@sightline/model-host/open-engine';
import { openModels } from '@sightline/model-host/open-models';
import { readInferenceSettings } from '@sightline/platform/config/read-inference-settings';
import type { Config } from '@sightline/platform/config/variable-groups';

/**
 * The timeout for closing the inference engine, in ms. The engine closes after the listeners have stopped, so only an
 * image that hangs takes longer.
 */
const CLOSE_TIMEOUT_MS = 5_000;

export interface InferenceDeps extends Omit<EngineDeps, 'packs' | 'store'> {
  readonly config: Config<'models' | 'inference' | 'inferenceKey'>;
  readonly wait: StartupWait & DependencyObservers;
}

/**
 * Decides whether models run in this process or in inference processes. The returned function opens the models or the
 * connection; its parameter is the store of downloaded model packs, or null if the installation has no such store.
 *
 * @throws StartError if there are no models
 */
export async function chooseInference(
  deps: InferenceDeps,
): Promise<(packs: PackStore | null) => Promise<OpenedInference>> {
  const { config, logger, wait } = deps;
  const settings = readInferenceSettings(config);
  if (settings !== null) return () => openInference(settings, wait);
  const packs = await openModels({ config, logger, signal: wait.signal });
  return (store) => openLocal({ ...deps, packs, store });
}

async function openLocal(deps: EngineDeps): Promise<OpenedInference> {
  const engine = await openEngine(deps);
  const { workers } = engine.status();
  const analyzer = new LocalImageAnalyzer(engine);
  return {
    analyzer,
    // A batch has one running and one waiting image per worker thread, but its waiting images take at most a third of
    // the queue.
    batchConcurrency: workers + Math.min(workers, Math.ceil(deps.config.queueLimit / 3)),
    // A job also has one running and one waiting image per worker thread. The images of jobs do not use the queue of
    // requests.
    jobConcurrency: 2 * workers,
    gpuAvailable: () => Promise.resolve(availableProviders().includes('cuda')),
    hosts: analyzer,
    control: databaseControl(analyzer),
    activate: (stores, signal) =>
      activateModels(stores, { hosts: analyzer, logger: deps.logger }, signal),
    [Symbol.asyncDispose]: () => engine.close(AbortSignal.timeout(CLOSE_TIMEOUT_MS)),
  };
}
