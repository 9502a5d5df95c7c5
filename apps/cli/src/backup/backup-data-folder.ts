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
import { failWithSentence } from './fail-with-sentence.ts';

/** Files that describe the running database server. A copy of the data does not need them. */
const RUNTIME_FILES = new Set(['postmaster.pid', 'postmaster.opts']);

export interface BackupRequest {
  readonly data: string;
  /** The path of the folder in which a new folder for the backup is created. */
  readonly to: string;
  readonly version: FolderVersion;
  readonly note: (line: string) => void;
}

/**
 * Copies a data folder into a new folder that is named after the current time. The database is copied even if it
 * lies outside the data folder. A service that uses the data is stopped first. The version file is copied last,
 * because a folder without a version file does not count as a complete backup.
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
    throw new StartError(`There is no Sightline data in ${resolve(data)}.`);
  }
  const backup = join(resolve(to), `sightline-${timestamp(new Date())}`);
  const refusal = `The backup cannot be written to ${backup}`;
  if (backup.startsWith(`${resolve(data)}/`)) {
    throw new StartError(`The backup cannot be put into the data folder ${resolve(data)} itself.`);
  }
  // This check precedes the stop of the service, so that an unwritable target stops no service.
  await failWithSentence(refusal, async () => {
    await mkdir(resolve(to), { recursive: true });
    await access(resolve(to), constants.W_OK);
  });
  using folder = await takeOverFolder(data, { version, note });
  const place = await shutDownDatabase(folder.postgres);
  await failWithSentence(refusal, async () => {
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
 * Starts the database server and shuts it down cleanly. The start stops a server that outlived its service,
 * replays the write-ahead log after a crash, and fails if the database is damaged.
 *
 * @returns the folder of the database
 */
async function shutDownDatabase(folder: string): Promise<string> {
  await using postgres = await EmbeddedPostgres.open({ folder });
  return postgres.location;
}

/** A time such as `2026-11-20T10-00-00Z`, without colons because some archives and file systems reject colons. */
function timestamp(time: Date): string {
  return time
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(':', '-');
}
