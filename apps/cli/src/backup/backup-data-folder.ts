import { constants } from 'node:fs';
import { access, mkdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { copyTree } from '@sightline/platform/data-folder/copy-tree';
import { HOLDER_FILE, LOCK_FILE } from '@sightline/platform/data-folder/data-folder';
import {
  type FolderVersion,
  readVersion,
  VERSION_FILE,
  writeVersion,
} from '@sightline/platform/data-folder/folder-version';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import { EmbeddedPostgres } from '@sightline/embedded-postgres/embedded-postgres';
import { clusterOf } from '@sightline/embedded-postgres/postgres-home';
import { takeOverFolder } from './take-over-folder.ts';
import { refuseToTransfer } from './refuse-to-transfer.ts';

/** What says how a server ran, and nothing about the data. */
const RUNTIME_FILES = new Set(['postmaster.pid', 'postmaster.opts']);

export interface BackupRequest {
  /** The data folder. */
  readonly data: string;
  /** The folder in which the backup gets a folder of its own. */
  readonly to: string;
  readonly version: FolderVersion;
  /** What the person at the terminal is to know meanwhile. */
  readonly note: (line: string) => void;
}

/**
 * Copies a data folder, wherever its database stands, into one folder that names the date. A service
 * that uses the data is stopped first. The copy gets its version file last: without, it is no backup.
 *
 * @returns the path of the backup
 * @throws StartError if there is no data, if the backup exists, or if it cannot be written
 */
export async function backupDataFolder({
  data,
  to,
  version,
  note,
}: BackupRequest): Promise<string> {
  if ((await readVersion(data, version)) === undefined) {
    throw new StartError(`There are no data of Sightline in ${resolve(data)}.`);
  }
  const backup = join(resolve(to), `sightline-${timestamp(new Date())}`);
  const refusal = `The backup cannot be written to ${backup}`;
  if (backup.startsWith(`${resolve(data)}/`)) {
    throw new StartError(`The backup cannot be put into the data folder ${resolve(data)} itself.`);
  }
  // Before a service is stopped in vain.
  await refuseToTransfer(refusal, async () => {
    await mkdir(resolve(to), { recursive: true });
    await access(resolve(to), constants.W_OK);
  });
  using folder = await takeOverFolder(data, { version, note });
  const place = await shutDownDatabase(folder.postgres);
  await refuseToTransfer(refusal, async () => {
    await mkdir(backup, { mode: 0o700 });
    try {
      const notCopied = new Set([LOCK_FILE, HOLDER_FILE, VERSION_FILE, 'postgres']);
      await copyTree(folder.path, backup, notCopied);
      await copyTree(clusterOf(place), clusterOf(join(backup, 'postgres')), RUNTIME_FILES);
      await writeVersion(backup, version);
    } catch (error) {
      await rm(backup, { recursive: true, force: true });
      throw error;
    }
  });
  return backup;
}

/**
 * A server that outlived its service is stopped by this, what a crash left in the log is written out,
 * and a database that is damaged is not taken for a backup.
 */
async function shutDownDatabase(folder: string): Promise<string> {
  await using postgres = await EmbeddedPostgres.open({ folder });
  return postgres.location;
}

/** As in `2026-11-20T10-00-00Z`: no colons, which archives and other systems dislike. */
function timestamp(time: Date): string {
  return time
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(':', '-');
}
