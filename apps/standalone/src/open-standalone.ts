import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApiRole } from '@sightline/api/role';
import { openIdentityProvider } from '@sightline/composition/open-identity-provider';
import { openKafkaOf } from '@sightline/composition/events/open-kafka';
import { openEvents } from '@sightline/composition/events/open-events';
import { openDownloads } from '@sightline/composition/models/open-downloads';
import { openStores, type StorePorts } from '@sightline/composition/open-stores';
import { ownEndpoints } from '@sightline/composition/own-endpoints';
import { readSettingDefaults } from '@sightline/composition/read-setting-defaults';
import { openSecrets } from '@sightline/composition/secrets/open-secrets';
import { readStoreSettings } from '@sightline/composition/store-settings';
import { wakeAfterWrites } from '@sightline/core/database/wake-after-writes';
import { ModelRegistry } from '@sightline/core/models/model-registry';
import { readAdministrator } from '@sightline/platform/config/read-administrator';
import { readInferenceSettings } from '@sightline/platform/config/read-inference-settings';
import type { ServiceGroupName } from '@sightline/platform/config/variable-groups';
import { Spool } from '@sightline/platform/http/spool';
import { createDependencyMetrics } from '@sightline/platform/metrics/dependency-metrics';
import { createDiskMetrics } from '@sightline/platform/metrics/disk-metrics';
import type { OpenedProcess, ProcessContext } from '@sightline/platform/process/run-process';
import { createWorkerRole } from '@sightline/background/worker/role';
import { chooseInference } from './choose-inference.ts';
import { openEventRoles } from './open-event-roles.ts';
import { FirstAccess } from './first-access.ts';

export interface StandaloneDeps extends ProcessContext<ServiceGroupName> {
  /** Wraps the stores that use cases write to; for tests. */
  readonly decorate?: (ports: StorePorts) => StorePorts;
}

/** @throws StartError if the models or the data cannot be used */
export async function openStandalone(deps: StandaloneDeps): Promise<OpenedProcess> {
  const { config, logger, registry, version, signal } = deps;
  const { decorate = (ports: StorePorts) => ports } = deps;
  await using opening = new AsyncDisposableStack();
  const wait = {
    logger,
    signal,
    observer: createDependencyMetrics(registry),
    timeoutMs: config.startTimeout * 1_000,
  };
  // The settings are checked before the slow steps, so that an invalid setting fails the start early.
  const settings = readStoreSettings(config);
  const identityProvider = openIdentityProvider(deps);
  const openInference = await chooseInference({ config, logger, registry, wait });
  const opened = opening.use(
    await openStores(
      { settings, version, data: config.data, storageReserve: config.storageReserve },
      wait,
    ),
  );
  createDiskMetrics(registry, { data: opened.folder.path, spool: tmpdir() });
  const ports = decorate(opened);
  const database = wakeAfterWrites(ports.database, {
    written: () => {
      worker.wake();
      embedded.wake();
    },
    jobCreated: () => worker.wakeJobs(),
  });
  const embedded = openEvents(opened.outbox, { isWoken: true });
  const kafka = opening.use(await openKafkaOf(config, logger));
  const stores = { ...opened, ...ports, database };
  // Inference processes cannot read this process's data folder, so they cannot load models that are stored there.
  const runsElsewhere = readInferenceSettings(config) !== null;
  const downloads = opening.use(
    await openDownloads({
      config,
      s3: settings.s3,
      folder: runsElsewhere ? null : stores.folder,
      cache: join(config.cache, 'downloads'),
      reserveBytes: config.storageReserve,
      logger,
    }),
  );
  const inference = opening.use(await openInference(downloads.packs));
  const endpoints = ownEndpoints(
    [settings.s3?.endpoint, settings.qdrant?.url, ...(readInferenceSettings(config)?.urls ?? [])],
    stores.externalDatabase,
  );
  // Single photos are refused when less than the reserve is free. Batches are refused at twice the reserve, so that
  // disk space for single photos remains.
  const spool = new Spool({
    maxBytes: config.spoolMax,
    folderBytes: config.tmpMax,
    reserveBytes: 2 * config.storageReserve,
  });
  const ownListeners = () => [...endpoints, ...(api.address === null ? [] : [api.address])];
  const models = new ModelRegistry(stores.models);
  const secrets = await stores.awaitRows(() =>
    openSecrets({
      config,
      logger,
      installation: stores.installation,
      file: stores.folder.secretKey,
    }),
  );
  const settingDefaults = readSettingDefaults(config);
  const worker = createWorkerRole({
    ...deps,
    settingDefaults,
    models,
    downloads,
    stores,
    inference,
    secrets,
    spool,
    endpoints: ownListeners,
    isBusy: () => api.isBusy,
  });
  const hasPackStore = downloads.packs !== null;
  const api = createApiRole({
    ...deps,
    settingDefaults,
    models,
    stores,
    inference,
    secrets,
    identityProvider,
    endpoints,
    hasPackStore,
    databaseFolder: stores.externalDatabase === null ? stores.folder.path : null,
    spool,
    bound: (starting) => stores.awaitRows(() => firstAccess.create(starting)),
  });
  const firstAccess = new FirstAccess({
    stores,
    folder: stores.folder,
    given: readAdministrator(config),
    url: () => api.localUrl!,
    hasConsole: config.consoleDir !== null,
  });
  const eventRoles = openEventRoles({
    ...deps,
    stores,
    kafka,
    embedded,
    secrets,
    endpoints: ownListeners,
  });
  await stores.awaitRows(() => inference.activate(stores, signal));
  const resources = opening.move();
  return {
    roles: [worker, ...eventRoles, api, firstAccess],
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
