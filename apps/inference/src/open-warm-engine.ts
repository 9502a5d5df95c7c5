import type { Engine } from '@sightline/engine/engine';
import type { Config } from '@sightline/platform/config/parse-config';
import type { Logger } from '@sightline/platform/logging/logger';
import type { MetricsRegistry } from '@sightline/platform/metrics/metrics-registry';
import { openEngine } from '@sightline/model-host/open-engine';
import { openModels } from '@sightline/model-host/open-models';

/**
 * Finds the models that the configuration means, then loads and warms them.
 *
 * @throws StartError if there are none or they cannot be loaded
 */
export async function openWarmEngine(
  deps: { readonly config: Config; readonly logger: Logger; readonly registry: MetricsRegistry },
  signal: AbortSignal,
): Promise<Engine> {
  const packs = await openModels({ ...deps, signal });
  return openEngine({ ...deps, packs });
}
