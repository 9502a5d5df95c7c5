import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { AesSecretBox } from './secrets/aes-secret-box.ts';
import type { MediaStore } from '@sightline/core/media/media-store';
import { POSTGRES_MAJOR } from '@sightline/embedded-postgres/ensure-cluster';
import type { Config } from '@sightline/platform/config/variable-groups';
import { DataFolder } from '@sightline/platform/data-folder/data-folder';
import { VERSION_FILE } from '@sightline/platform/data-folder/folder-version';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import type { PostgresStores } from '@sightline/postgres/open-postgres';
import type { StartupWait } from './await-dependency.ts';
import { openEmbeddedDatabase } from './database/open-embedded-database.ts';
import { openExternalDatabase } from './database/open-external-database.ts';
import type { DatabaseOptions } from './database/opened-database.ts';
import { openMediaAsIs } from './media/open-media.ts';
import { openSecrets } from './secrets/open-secrets.ts';
import type { StoreSettings } from './store-settings.ts';

export interface Installation extends PostgresStores {
  /** Opens the images of the installation. Fails if they are stored elsewhere than configured. */
  readonly openMedia: () => Promise<MediaStore & Disposable>;
  /** Opens the encryption of secrets. @throws StartError as `openSecrets` */
  readonly openSecrets: (config: Config<'secretKey'>) => Promise<AesSecretBox>;
}

export interface InstallationOptions {
  readonly settings: StoreSettings;
  readonly data: string;
  /** The version of Sightline. */
  readonly version: string;
}

const APPLICATION = 'sightline command';

/**
 * Opens an external database, or the database of the data folder. If the service is running, its database server is
 * used. Otherwise a server is started, and stopped on disposal.
 *
 * @throws StartError if there is no installation or the installation cannot be used
 */
export async function openInstallation(
  { settings, data, version }: InstallationOptions,
  wait: StartupWait,
): Promise<Installation> {
  await using opening = new AsyncDisposableStack();
  const folder = existsSync(join(data, VERSION_FILE))
    ? opening.use(await DataFolder.attach(data, { product: version, postgres: POSTGRES_MAJOR }))
    : null;
  const options: DatabaseOptions = {
    applicationName: APPLICATION,
    reader: { kind: 'own', name: randomUUID() },
  };
  const opened = opening.use(
    settings.database === null
      ? await openEmbeddedDatabase(requireData(folder, data), options, wait)
      : await openExternalDatabase(settings.database, options, wait),
  );
  const { stores, rows } = opened;
  const { installation } = stores;
  const resources = opening.move();
  return {
    ...stores,
    openMedia: () => openMediaAsIs({ installation, folder, rows }, settings.s3, wait.signal),
    openSecrets: (config) =>
      openSecrets({ config, installation, file: folder?.secretKey ?? null, logger: wait.logger }),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

function requireData(folder: DataFolder | null, data: string): DataFolder {
  if (folder !== null) return folder;
  throw new StartError(
    `There is no data folder in ${data}: start the service once, or set SIGHTLINE_DATA, or SIGHTLINE_DATABASE_URL for a database elsewhere.`,
  );
}
