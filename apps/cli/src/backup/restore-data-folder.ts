import { readdir, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { copyTree } from '@sightline/platform/data-folder/copy-tree';
import { LOCK_FILE, makeFolder } from '@sightline/platform/data-folder/data-folder';
import {
  type FolderVersion,
  readVersion,
  VERSION_FILE,
  writeVersion,
} from '@sightline/platform/data-folder/folder-version';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import { clusterOf } from '@sightline/embedded-postgres/postgres-home';
import { failWithSentence } from './fail-with-sentence.ts';

export interface RestoreRequest {
  readonly from: string;
  /** The path of the new data folder, which must be empty or absent. */
  readonly data: string;
  readonly version: FolderVersion;
}

/**
 * Creates a data folder from a backup. The version file is copied last, because no service starts on a folder
 * without a version file.
 *
 * @throws StartError if this version cannot read the backup, or if the data folder is not empty
 */
export async function restoreDataFolder({ from, data, version }: RestoreRequest): Promise<void> {
  const [backup, folder] = [resolve(from), resolve(data)];
  await checkBackup(backup, version);
  await failWithSentence(`The backup cannot be restored to ${folder}`, async () => {
    await makeFolder(folder);
    const present = (await readdir(folder)).filter((name) => name !== 'lost+found');
    if (present.length > 0) {
      throw new StartError(
        `The folder ${folder} is not empty: set SIGHTLINE_DATA to an empty or a new folder.`,
      );
    }
    try {
      await copyTree(backup, folder, new Set([VERSION_FILE]));
      await writeVersion(folder, version);
    } catch (error) {
      for (const name of await readdir(folder)) {
        if (name !== 'lost+found') await rm(join(folder, name), { recursive: true, force: true });
      }
      throw error;
    }
  });
}

async function checkBackup(backup: string, version: FolderVersion): Promise<void> {
  const isComplete =
    (await readVersion(backup, version)) !== undefined &&
    (await exists(clusterOf(join(backup, 'postgres'))));
  if (!isComplete) throw new StartError(`${backup} is not a complete backup of Sightline.`);
  if (await exists(join(backup, LOCK_FILE))) {
    throw new StartError(`${backup} is a data folder, not a backup: make a backup of it first.`);
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
