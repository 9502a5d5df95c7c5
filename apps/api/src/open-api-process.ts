import { tmpdir } from 'node:os';
import { openIdentityProvider } from '@sightline/composition/open-identity-provider';
import { openExternal } from '@sightline/composition/open-external';
import { openFirstAccount } from '@sightline/composition/open-first-account';
import { readSettingDefaults } from '@sightline/composition/read-setting-defaults';
import { openSecrets } from '@sightline/composition/secrets/open-secrets';
import { readAdministrator } from '@sightline/platform/config/read-administrator';
import { Spool, SPOOL_RESERVE_BYTES } from '@sightline/platform/http/spool';
import { createDiskMetrics } from '@sightline/platform/metrics/disk-metrics';
import type { OpenedProcess, ProcessContext } from '@sightline/platform/process/run-process';
import { createApiRole } from './role.ts';

const PROCESS = {
  name: 'An API process',
  applicationName: 'sightline api',
  needs: ['media', 'vectors', 'inference'],
} as const;

export const API_VARIABLES = [
  'server',
  'accounts',
  'console',
  'spool',
  'settings',
  'start',
  'database',
  ...PROCESS.needs,
  'inferenceKey',
  'kafka',
  'secretKey',
] as const;

/** @throws StartError if an external service is not configured, unavailable or unusable */
export async function openApiProcess(
  context: ProcessContext<(typeof API_VARIABLES)[number]>,
): Promise<OpenedProcess> {
  const identityProvider = openIdentityProvider(context);
  await using opening = new AsyncDisposableStack();
  const services = opening.use(await openExternal(PROCESS, context));
  const { installation } = services.stores;
  const secrets = await openSecrets({ ...context, installation, file: null });
  createDiskMetrics(context.registry, { spool: tmpdir() });
  const { spoolMax: maxBytes, tmpMax: folderBytes } = context.config;
  const spool = new Spool({ maxBytes, folderBytes, reserveBytes: SPOOL_RESERVE_BYTES });
  const given = readAdministrator(context.config);
  const resources = opening.move();
  return {
    roles: [
      createApiRole({
        ...context,
        ...services,
        secrets,
        identityProvider,
        hasPackStore: true,
        databaseFolder: null,
        settingDefaults: readSettingDefaults(context.config),
        spool,
        bound: async (signal) => {
          if (given !== null) await openFirstAccount({ stores: services.stores, given }, signal);
        },
      }),
    ],
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
