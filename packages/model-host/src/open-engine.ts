import type { PackStore } from '@sightline/core/models/pack-store';
import { imageLimitsWithin } from '@sightline/core/sources/image-limits';
import { createEngine, type Engine, type EngineOptions } from '@sightline/engine/engine';
import { usableMemory } from '@sightline/platform/config/usable-memory';
import type { Config } from '@sightline/platform/config/variable-groups';
import type { Logger } from '@sightline/platform/logging/logger';
import type { MetricsRegistry } from '@sightline/platform/metrics/metrics-registry';
import { observeEngine } from './observe-engine.ts';
import { HostPacks } from './packs/host-packs.ts';
import { type OpenedModels, refuseToStart } from './open-models.ts';

export interface EngineDeps {
  readonly packs: OpenedModels;
  /** The store of downloaded packs; null if there is none. */
  readonly store: PackStore | null;
  readonly config: Config<'models'>;
  readonly logger: Logger;
  readonly registry: MetricsRegistry;
}

/**
 * Loads the models and warms them up.
 *
 * @throws StartError if the models cannot be loaded
 */
export async function openEngine({
  packs,
  store,
  config,
  logger,
  registry,
}: EngineDeps): Promise<Engine> {
  const source = new HostPacks({ packs: packs.packs, config, store, logger });
  // Searches the cache for starter packs. The engine can start before this search ends.
  void source.findInstalled();
  let engine: Engine | undefined = undefined;
  const observer = observeEngine({ registry, logger, status: () => engine?.status() });
  const { face, object, contents } = packs;
  const loaded = [face, object].filter((pack) => pack !== null);
  logger.info({ packs: loaded.map(({ manifest }) => manifest.name) }, 'loading the models');
  engine = await refuseToStart(
    () => createEngine({ ...engineOptions(config), face, object, contents, source, observer }),
    () => 'Repair or remove that pack.',
  );
  const opened = engine;
  // Packs that the report names are in use and must stay in the cache, because a thread that replaces a crashed one
  // reads their files again.
  source.retireRegularly(() => opened.status().report.map(({ revision }) => revision));
  return engine;
}

export function engineOptions({
  provider,
  workers,
  queueLimit,
}: Config<'models'>): Omit<EngineOptions, 'observer' | 'source'> {
  const memoryLimit = usableMemory();
  const limits = imageLimitsWithin(memoryLimit);
  return { provider, workers: workers ?? undefined, memoryLimit, queueLimit, limits };
}
