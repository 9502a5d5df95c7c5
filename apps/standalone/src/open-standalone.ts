import { createApiRole } from '@sightline/api/role';
import { backgroundWork } from '@sightline/composition/background-work';
import { openStores, type StorePorts } from '@sightline/composition/open-stores';
import { ownEndpoints } from '@sightline/composition/own-endpoints';
import { readStoreSettings } from '@sightline/composition/store-settings';
import { KeyAuthenticator } from '@sightline/core/api-keys/authenticate-key';
import { wakeAfterWrites } from '@sightline/core/database/wake-after-writes';
import { ORPHAN_GRACE_MS } from '@sightline/core/maintenance/collect-orphans';
import { TailCache } from '@sightline/core/matching/tail-cache';
import { ModelRegistry } from '@sightline/core/models/model-registry';
import { DEFAULT_IMAGE_LIMITS } from '@sightline/core/sources/image-limits';
import { readInferenceSettings } from '@sightline/platform/config/read-inference-settings';
import { createDependencyMetrics } from '@sightline/platform/metrics/dependency-metrics';
import { createHttpMetrics } from '@sightline/platform/metrics/http-metrics';
import { createWorkerMetrics } from '@sightline/worker/metrics/worker-metrics';
import { GuardedFetch } from '@sightline/platform/outgoing/guarded-fetch';
import type { OpenedProcess, Surroundings } from '@sightline/platform/process/run-process';
import { createWorkerRole } from '@sightline/worker/role';
import { chooseInference } from './choose-inference.ts';
import { keepFirstKey } from './keep-first-key.ts';

export interface StandaloneDeps extends Surroundings {
  /** Puts something between the use cases and their stores. */
  readonly decorate?: (ports: StorePorts) => StorePorts;
}

/** @throws StartError if models or data cannot be used */
export async function openStandalone(deps: StandaloneDeps): Promise<OpenedProcess> {
  const { config, logger, registry, version, operations, signal } = deps;
  const { decorate = (ports: StorePorts) => ports } = deps;
  await using opening = new AsyncDisposableStack();
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
  const ports = decorate(opened);
  const database = wakeAfterWrites(ports.database, () => worker.wake());
  const stores = { ...opened, ...ports, database };
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
    observer: createWorkerMetrics(registry),
  });
  const { host, port } = config;
  const api = createApiRole({
    ...{ ...stores, analyzer, models, logger, host, port, outgoing, version },
    keys: new KeyAuthenticator(stores.keys),
    modelStore: stores.models,
    tails: new TailCache(),
    observer: createHttpMetrics(registry),
    gpuAvailable: inference.gpuAvailable,
    imageLimits: DEFAULT_IMAGE_LIMITS,
    batchConcurrency: inference.batchConcurrency,
  });
  await stores.awaitRows(() => inference.activate(activation, signal));
  const file = stores.folder!.apiKey;
  const firstKey = await stores.awaitRows(() =>
    keepFirstKey({ keys: stores.keys, file, url: () => api.localUrl! }),
  );
  const resources = opening.move();
  return {
    roles: [worker, api, ...(firstKey === null ? [] : [firstKey])],
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
