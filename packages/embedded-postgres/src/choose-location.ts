import { createHash } from 'node:crypto';
import { chown, cp, lchown, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { writeDurably } from '@sightline/platform/data-folder/write-durably';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import { hasCode } from './has-code.ts';
import {
  clusterOf,
  EXTERNAL_ROOT,
  locationFile,
  locationOf,
  makeShared,
  type PostgresHome,
} from './postgres-home.ts';
import type { Account } from './run-program.ts';
import { canEnter, isRoot, serverAccount } from './server-account.ts';
import { stopServer } from './stop-server.ts';

/**
 * The name of a file in an external location. The file contains the path of the data folder to which the database
 * belongs.
 */
const FOLDER_FILE = 'folder';

/**
 * Chooses the location of a folder's database, and the account that runs its server. Root needs another account for the
 * server. If that account cannot enter the folder, the database is in an external location, and a file in the folder
 * names that location. A database that root created in the folder gets a new owner or is moved.
 *
 * @param folder an absolute path without symbolic links, which exists
 * @throws StartError if the database belongs to another account or folder, or is missing
 */
export async function chooseLocation(folder: string): Promise<PostgresHome> {
  const location = await locationOf(folder);
  if (location !== folder) await checkLocation(location, folder);
  if (!isRoot()) return { location: await checkOwn(location), account: undefined };
  if (location !== folder) return { location, account: await ownerOf(location) };

  const account = await accountFor(folder);
  if (await canEnter(dirname(folder), account)) {
    await changeOwner(folder, account);
    return { location: folder, account };
  }
  return { location: await moveToExternal(folder, account), account };
}

/** The account for the server: the owner of the database, unless that is root, because root cannot run Postgres. */
async function accountFor(folder: string): Promise<Account> {
  const owner = await ownerOf(clusterOf(folder));
  return owner === undefined || owner.uid === 0 ? serverAccount() : owner;
}

async function ownerOf(path: string): Promise<Account | undefined> {
  try {
    const { uid, gid } = await stat(path);
    return { uid, gid };
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** Checks that the database belongs to this process's account. Only root could change its owner. */
async function checkOwn(location: string): Promise<string> {
  const own = await ownerOf(clusterOf(location)).then(
    (owner) => owner === undefined || owner.uid === process.getuid?.(),
    (error: unknown) => {
      if (hasCode(error, 'EACCES')) return false;
      throw error;
    },
  );
  if (own) return location;
  throw new StartError(
    `The database in ${location} belongs to another account: start Sightline as that account or as root.`,
  );
}

/** Checks that the external location belongs to the folder. A copied data folder names the location of the original. */
async function checkLocation(location: string, folder: string): Promise<void> {
  const named = await readFile(join(location, FOLDER_FILE), 'utf8').catch((error: unknown) => {
    if (!hasCode(error, 'ENOENT')) throw error;
    throw new StartError(
      `The database of ${folder} should be in ${location}, according to ${locationFile(folder)}, but it is missing: restore a backup.`,
      { cause: error },
    );
  });
  const original = named.trim();
  if (original === folder) return;
  if ((await locationOf(original).catch(() => undefined)) === location) {
    throw new StartError(
      `${folder} is a copy of ${original}, so both would use the same database, in ${location}. To copy a data folder, use backup and restore.`,
    );
  }
  await writeDurably(join(location, FOLDER_FILE), `${folder}\n`);
}

/**
 * Makes an account the owner of a folder and its files. The cluster and the folder change last, so that an interrupted
 * change is noticed and repeated.
 */
async function changeOwner(folder: string, { uid, gid }: Account): Promise<void> {
  const owners = await Promise.all([folder, clusterOf(folder)].map(ownerOf));
  if (owners.every((owner) => owner === undefined || owner.uid === uid)) return;
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const cluster = clusterOf(folder);
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    if (path !== cluster) await lchown(path, uid, gid);
  }
  if (entries.some((entry) => join(entry.parentPath, entry.name) === cluster)) {
    await chown(cluster, uid, gid);
  }
  await chown(folder, uid, gid);
}

async function moveToExternal(folder: string, account: Account): Promise<string> {
  const location = join(
    EXTERNAL_ROOT,
    createHash('sha256').update(folder).digest('hex').slice(0, 16),
  );
  await setAside(location);
  await makeShared(EXTERNAL_ROOT);
  await mkdir(location, { mode: 0o755 });
  const cluster = clusterOf(folder);
  if ((await ownerOf(cluster)) !== undefined) {
    await stopServer(folder);
    await cp(cluster, clusterOf(location), { recursive: true });
  }
  await changeOwner(location, account);
  await writeDurably(join(location, FOLDER_FILE), `${folder}\n`);
  await writeDurably(locationFile(folder), `${location}\n`);
  await rm(cluster, { recursive: true, force: true });
  return location;
}

/** Renames the database of a deleted data folder. A new data folder of the same path starts with an empty database. */
async function setAside(location: string): Promise<void> {
  if ((await ownerOf(location)) === undefined) return;
  await stopServer(location);
  await rename(location, `${location}.left-${new Date().toISOString().replaceAll(':', '-')}`);
}
