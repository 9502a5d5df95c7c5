import { ModelRegistry } from '@sightline/core/models/model-registry';
import type { Config } from '@sightline/platform/config/parse-config';
import { readInferenceSettings } from '@sightline/platform/config/read-inference-settings';
import type { Logger } from '@sightline/platform/logging/logger';
import type { Endpoint } from '@sightline/platform/outgoing/target-guard';
import type { DependencyObserver } from '@sightline/platform/resilience/dependency';
import { activateFirstModels } from './activate-models.ts';
import { openInference, type OutsideInference } from './open-inference.ts';
import { openStores, type OpenedStores } from './open-stores.ts';
import { ownEndpoints } from './own-endpoints.ts';
import { requireOutside } from './require-outside.ts';
import { readStoreSettings } from './store-settings.ts';

export interface OutsideDeps {
  readonly config: Config;
  readonly logger: Logger;
  /** Of the product. */
  readonly version: string;
  readonly observer: DependencyObserver;
  /** Ends a start that takes long. */
  readonly signal: AbortSignal;
}

/** What a process works with that keeps nothing itself. */
export interface Outside extends AsyncDisposable {
  readonly stores: OpenedStores;
  readonly inference: OutsideInference;
  /** The rows of the models that answer. */
  readonly models: ModelRegistry;
  /** Where the stores and inference listen. */
  readonly endpoints: readonly Endpoint[];
}

/**
 * Opens the stores and the inference processes that the configuration names. A task that has no active
 * model yet gets the one that answers.
 *
 * @param process for people: `The API`
 * @throws StartError if one is not named, does not come, or cannot be used
 */
export async function openOutside(
  process: { readonly name: string; readonly applicationName: string },
  { config, version, ...watchers }: OutsideDeps,
): Promise<Outside> {
  requireOutside(process.name, config);
  const settings = readStoreSettings(config);
  const inferenceSettings = readInferenceSettings(config)!;
  const patience = { ...watchers, timeoutMs: config.startTimeout * 1_000 };
  await using opening = new AsyncDisposableStack();
  const { applicationName } = process;
  const stores = opening.use(
    await openStores(
      { settings, version, applicationName, data: null, schema: 'require' },
      patience,
    ),
  );
  const inference = opening.use(await openInference(inferenceSettings, patience));
  const models = new ModelRegistry(stores.models);
  const { analyzer } = inference;
  const activation = { ...stores, analyzer, models, modelStore: stores.models };
  await stores.awaitRows(() => activateFirstModels(activation, watchers.signal));
  const endpoints = ownEndpoints(settings, {
    database: stores.outsideDatabase,
    inference: inferenceSettings,
  });
  const resources = opening.move();
  return {
    ...{ stores, inference, models, endpoints },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
