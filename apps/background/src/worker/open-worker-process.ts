import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDownloads } from '@sightline/composition/models/open-downloads';
import { openExternal } from '@sightline/composition/open-external';
import { readSettingDefaults } from '@sightline/composition/read-setting-defaults';
import { openSecrets } from '@sightline/composition/secrets/open-secrets';
import { readS3Settings } from '@sightline/platform/config/read-s3-settings';
import { Spool, SPOOL_RESERVE_BYTES } from '@sightline/platform/http/spool';
import { createDiskMetrics } from '@sightline/platform/metrics/disk-metrics';
import type { OpenedProcess, ProcessContext } from '@sightline/platform/process/run-process';
import { createWorkerRole } from './role.ts';

const PROCESS = {
  name: 'A worker',
  applicationName: 'sightline worker',
  needs: ['media', 'vectors', 'inference'],
} as const;

export const WORKER_VARIABLES = [
  'spool',
  'settings',
  'start',
  'database',
  ...PROCESS.needs,
  'inferenceKey',
  'downloads',
  'secretKey',
] as const;

/** @throws StartError if an external service is not configured, unavailable or unusable */
export async function openWorkerProcess(
  context: ProcessContext<(typeof WORKER_VARIABLES)[number]>,
): Promise<OpenedProcess> {
  await using opening = new AsyncDisposableStack();
  const { config, logger } = context;
  const downloads = opening.use(
    await openDownloads({
      config,
      s3: readS3Settings(config),
      folder: null,
      cache: join(tmpdir(), 'sightline-models'),
      reserveBytes: SPOOL_RESERVE_BYTES,
      logger,
    }),
  );
  const { endpoints, ...services } = opening.use(await openExternal(PROCESS, context));
  const { installation } = services.stores;
  const secrets = await openSecrets({ config, logger, installation, file: null });
  createDiskMetrics(context.registry, { spool: tmpdir() });
  const { spoolMax: maxBytes, tmpMax: folderBytes } = config;
  const spool = new Spool({ maxBytes, folderBytes, reserveBytes: SPOOL_RESERVE_BYTES });
  const settingDefaults = readSettingDefaults(config);
  const deps = {
    ...context,
    ...services,
    settingDefaults,
    downloads,
    secrets,
    spool,
    endpoints: () => endpoints,
  };
  const resources = opening.move();
  return {
    roles: [createWorkerRole(deps)],
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
