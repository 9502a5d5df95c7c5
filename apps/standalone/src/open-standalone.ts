import { createApiRole } from '@sightline/api/role';
import { backgroundWork } from '@sightline/composition/background-work';
import { openStores, type StorePorts } from '@sightline/composition/open-stores';
import { ownEndpoints } from '@sightline/composition/own-endpoints';
import { readStoreSettings } from '@sightline/composition/store-settings';
import { KeyAuthenticator } from '@sightline/core/accounts/authenticate-key';
import { ORPHAN_GRACE_MS } from '@sightline/core/maintenance/collect-orphans';
import { TailCache } from '@sightline/core/matching/tail-cache';
import { ModelRegistry } from '@sightline/core/models/model-registry';
import { DEFAULT_IMAGE_LIMITS } from '@sightline/core/sources/image-limits';
import type { Config } from '@sightline/platform/config/parse-config';
import { readInferenceSettings } from '@sightline/platform/config/read-inference-settings';
import type { Role } from '@sightline/platform/lifecycle/role';
import type { Logger } from '@sightline/platform/logging/logger';
import { createDependencyMetrics } from '@sightline/platform/metrics/dependency-metrics';
import { createHttpMetrics } from '@sightline/platform/metrics/http-metrics';
import { createMetricsRegistry } from '@sightline/platform/metrics/metrics-registry';
import { createStoreMetrics } from '@sightline/platform/metrics/store-metrics';
import { createOperationsRole } from '@sightline/platform/operations/operations-role';
import { GuardedFetch } from '@sightline/platform/outgoing/guarded-fetch';
import { createWorkerRole } from '@sightline/worker/role';
import { chooseInference } from './choose-inference.ts';
import { keepFirstKey } from './keep-first-key.ts';

/** The roles of one process and what they share; disposed of after the roles have stopped. */
export interface Standalone extends AsyncDisposable {
  readonly roles: readonly Role[];
}

export interface StandaloneDeps {
  readonly config: Config;
  readonly logger: Logger;
  /** Of the product. */
  readonly version: string;
  /** Puts something between the use cases and their stores. */
  readonly decorate?: (ports: StorePorts) => StorePorts;
  /** Ends a start that takes long. */
  readonly signal: AbortSignal;
}

/** @throws StartError if models or data cannot be used */
export async function openStandalone(deps: StandaloneDeps): Promise<Standalone> {
  const { config, logger, version, signal, decorate = (ports: StorePorts) => ports } = deps;
  await using opening = new AsyncDisposableStack();
  const registry = createMetricsRegistry();
  const patience = {
    ...{ logger, signal, observer: createDependencyMetrics(registry) },
    timeoutMs: config.startTimeout * 1_000,
  };
  // What may refuse the start comes before what takes time.
  const settings = readStoreSettings(config);
  const openInference = await chooseInference({ config, logger, registry, patience });
  const opened = opening.use(
    await openStores(
      {
        ...{ settings, version, data: config.data },
        applicationName: 'sightline',
        schema: 'migrate',
      },
      patience,
    ),
  );
  const stores = { ...opened, ...decorate(opened) };
  const inference = opening.use(await openInference());
  const { analyzer } = inference;
  const models = new ModelRegistry(stores.models);
  const activation = { ...stores, models, modelStore: stores.models };
  const endpoints = ownEndpoints(settings, {
    database: stores.outsideDatabase,
    inference: readInferenceSettings(config),
  });
  const outgoing = opening.use(
    new GuardedFetch({
      ownEndpoints: () =>
        [api.address, operations.endpoint, ...endpoints].filter((own) => own !== null),
    }),
  );

  const worker = createWorkerRole({
    ...{ ...stores, logger },
    source: stores.indexSource,
    index: stores.vectors,
    work: backgroundWork({
      ...{ stores, analyzer, models, logger },
      concurrency: inference.workers,
    }),
    ...(inference.statuses && {
      followModels: { ...activation, statuses: inference.statuses },
    }),
    orphanGraceMs: ORPHAN_GRACE_MS,
    observer: createStoreMetrics(registry),
  });
  const { host, port, opsPort } = config;
  const api = createApiRole({
    ...{ ...stores, analyzer, models, logger, host, port, outgoing, version },
    indexer: { nudge: () => worker.nudge() },
    keys: new KeyAuthenticator(stores.keys),
    modelStore: stores.models,
    tails: new TailCache(),
    observer: createHttpMetrics(registry),
    gpuAvailable: inference.gpuAvailable,
    imageLimits: DEFAULT_IMAGE_LIMITS,
    batchConcurrency: inference.batchConcurrency,
  });
  const operations = createOperationsRole({
    ...{ host, port: opsPort, logger, registry },
    checks: [api],
  });
  await inference.activate(activation, signal);
  const firstKey = await keepFirstKey({
    keys: stores.keys,
    file: stores.folder!.apiKey,
    url: () => api.localUrl!,
  });
  const resources = opening.move();
  return {
    roles: [operations, worker, api, ...(firstKey === null ? [] : [firstKey])],
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
