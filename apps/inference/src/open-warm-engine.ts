import type { Engine } from '@sightline/engine/engine';
import { type EngineDeps, openEngine } from '@sightline/model-host/open-engine';
import { openModels } from '@sightline/model-host/open-models';

/**
 * Finds the models of the configuration, loads them and warms them up.
 *
 * @throws StartError if there are none or they cannot be loaded
 */
export async function openWarmEngine(
  deps: Omit<EngineDeps, 'packs'>,
  signal: AbortSignal,
): Promise<Engine> {
  const packs = await openModels({ ...deps, signal });
  return openEngine({ ...deps, packs });
}
