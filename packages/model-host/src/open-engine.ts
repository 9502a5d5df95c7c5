import type { PackStore } from '@sightline/core/models/pack-store';
import { DEFAULT_IMAGE_LIMITS } from '@sightline/core/sources/image-limits';
import { createEngine, type Engine, type EngineObserver } from '@sightline/engine/engine';
import type { ReadPacks } from '@sightline/engine/model-set';
import type { PackSource } from '@sightline/engine/packs/pack-source';
import type { Config } from '@sightline/platform/config/variable-groups';
import type { Logger } from '@sightline/platform/logging/logger';
import type { MetricsRegistry } from '@sightline/platform/metrics/metrics-registry';
import { observeEngine } from './observe-engine.ts';
import { HostPacks } from './packs/host-packs.ts';
import { type OpenedModels, refuseToStart } from './open-models.ts';

export interface EngineDeps {
  readonly packs: OpenedModels;
  /** Where downloaded packs are; null: nowhere. */
  readonly store: PackStore | null;
  readonly config: Config<'models'>;
  readonly logger: Logger;
  readonly registry: MetricsRegistry;
}

/**
 * Loads the models and warms them up.
 *
 * @throws StartError if they cannot be loaded
 */
export async function openEngine({
  packs,
  store,
  config,
  logger,
  registry,
}: EngineDeps): Promise<Engine> {
  const source = new HostPacks({ packs: packs.packs, config, store, logger });
  // What is not in the cache is not found.
  void source.lookForStarters();
  let engine: Engine | undefined = undefined;
  const observer = observeEngine({ registry, logger, status: () => engine?.status() });
  engine = await refuseToStart(
    () => loadEngine({ packs, source, observer, config, logger }),
    () => 'Repair or remove that pack.',
  );
  const opened = engine;
  // A replaced thread reads the files of its models again.
  source.retireRegularly(() => opened.status().held.map(({ revision }) => revision));
  return engine;
}

export interface LoadingDeps extends Pick<EngineDeps, 'config' | 'logger'> {
  readonly packs: ReadPacks;
  /** Where further packs come from. */
  readonly source: PackSource;
  readonly observer: EngineObserver;
  /** Whether models that the GPU cannot take are refused instead of answering slowly; default: false. */
  readonly requiresCuda?: boolean;
}

/**
 * An engine with these models, as the configuration says.
 *
 * @throws ModelLoadFailed
 */
export async function loadEngine({
  packs,
  source,
  observer,
  requiresCuda = false,
  config,
  logger,
}: LoadingDeps): Promise<Engine> {
  const loaded = [packs.face, packs.object].filter((pack) => pack !== null);
  logger.info({ packs: loaded.map(({ manifest }) => manifest.name) }, 'loading the models');
  const engine = await createEngine({
    face: packs.face,
    object: packs.object,
    ...(packs.contents && { contents: packs.contents }),
    source,
    observer,
    provider: config.provider,
    requiresCuda,
    workers: config.workers ?? undefined,
    queueLimit: config.queueLimit,
    limits: DEFAULT_IMAGE_LIMITS,
  });
  const { models, provider, fallbackReason, workers } = engine.status();
  const names = models.map(({ task, name }) => `${task}: ${name}`);
  logger.info({ models: names, provider, workers }, 'the models are ready');
  if (fallbackReason !== null) logger.warn({ reason: fallbackReason }, 'models run on the CPU');
  return engine;
}
