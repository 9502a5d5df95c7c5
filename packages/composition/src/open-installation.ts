import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { MediaStore } from '@sightline/core/media/media-store';
import { DataFolder } from '@sightline/platform/data-folder/data-folder';
import { VERSION_FILE } from '@sightline/platform/data-folder/folder-version';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import type { PostgresStores } from '@sightline/postgres/open-postgres';
import { POSTGRES_MAJOR } from '@sightline/embedded-postgres/ensure-cluster';
import type { Patience } from './await-dependency.ts';
import {
  type DatabaseOptions,
  openEmbeddedDatabase,
  openOutsideDatabase,
} from './database/open-database.ts';
import { lookAtMedia } from './media/open-media.ts';
import type { StoreSettings } from './store-settings.ts';

/** An installation as commands see it, beside a service that runs or on their own. */
export interface Installation extends PostgresStores {
  /** Its images, if they are where the configuration says. */
  readonly openMedia: () => Promise<MediaStore & Disposable>;
}

export interface InstallationOptions {
  readonly settings: StoreSettings;
  /** The data folder. */
  readonly data: string;
  /** Of the product. */
  readonly version: string;
}

const APPLICATION = 'sightline command';

/**
 * Opens an outside database, or what the data folder holds: if a service runs there, its database is
 * used; else it is started, and stopped again when the installation is disposed of.
 *
 * @throws StartError if there is no installation or it cannot be used
 */
export async function openInstallation(
  { settings, data, version }: InstallationOptions,
  patience: Patience,
): Promise<Installation> {
  await using opening = new AsyncDisposableStack();
  const folder = existsSync(join(data, VERSION_FILE))
    ? opening.use(await DataFolder.attach(data, { product: version, postgres: POSTGRES_MAJOR }))
    : null;
  const options: DatabaseOptions = {
    applicationName: APPLICATION,
    reader: { kind: 'own', name: randomUUID() },
    schema: settings.database === null ? 'migrate' : 'require',
  };
  const opened = opening.use(
    settings.database === null
      ? await openEmbeddedDatabase(requireData(folder, data), options, patience)
      : await openOutsideDatabase(settings.database, options, patience),
  );
  const { stores, rows } = opened;
  const { installation } = stores;
  const place = { installation, folder, rows };
  const resources = opening.move();
  return {
    ...stores,
    openMedia: () => lookAtMedia(place, settings.s3, patience.signal),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

function requireData(folder: DataFolder | null, data: string): DataFolder {
  if (folder !== null) return folder;
  throw new StartError(
    `There is no data folder in ${data}: start the service once, or set SIGHTLINE_DATA, or SIGHTLINE_DATABASE_URL for a database elsewhere.`,
  );
}
