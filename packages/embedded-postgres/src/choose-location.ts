import { createHash } from 'node:crypto';
import { chown, cp, lchown, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import { hasCode } from './has-code.ts';
import { clusterOf, placeFile, placeOf, type PostgresHome } from './postgres-home.ts';
import type { Account } from './run-program.ts';
import { canEnter, isRoot, serverAccount } from './server-account.ts';
import { stopServer } from './stop-server.ts';
import { writeDurably } from './write-durably.ts';

/** Where databases stand whose data folder the account of the server cannot reach. */
const ELSEWHERE = '/var/lib/sightline';

/** The file in a place elsewhere that names the folder whose database it is. */
const FOLDER_FILE = 'folder';

/**
 * Decides where the database of a folder stands and under which account its server runs. For root
 * that is an account of its own, and if that cannot reach the folder, a place elsewhere, which the
 * folder names from then on. A cluster that root has put into the folder is handed over or moved.
 *
 * @param folder absolute, without symbolic links; exists
 * @throws StartError if the database belongs to another account or folder, or if it has gone
 */
export async function choosePlace(folder: string): Promise<PostgresHome> {
  const place = await placeOf(folder);
  if (place !== folder) await checkPlace(place, folder);
  if (!isRoot()) return { place: await checkOwn(place), account: undefined };
  if (place !== folder) return { place, account: await ownerOf(place) };

  const account = await accountFor(folder);
  if (await canEnter(dirname(folder), account)) {
    await handOver(folder, account);
    return { place: folder, account };
  }
  return { place: await moveElsewhere(folder, account), account };
}

/** Whoever owns the database keeps it, unless that is root, who cannot run it. */
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

/** Only root may hand a database to the account that runs its server. */
async function checkOwn(place: string): Promise<string> {
  const own = await ownerOf(clusterOf(place)).then(
    (owner) => owner === undefined || owner.uid === process.getuid?.(),
    (error: unknown) => {
      if (hasCode(error, 'EACCES')) return false;
      throw error;
    },
  );
  if (own) return place;
  throw new StartError(
    `The database in ${place} belongs to another account: start Sightline as that account or as root.`,
  );
}

/** A copied data folder would share its database with the original. */
async function checkPlace(place: string, folder: string): Promise<void> {
  const named = await readFile(join(place, FOLDER_FILE), 'utf8').catch((error: unknown) => {
    if (!hasCode(error, 'ENOENT')) throw error;
    throw new StartError(
      `The database of ${folder} stands in ${place}, as ${placeFile(folder)} says, but there is none: restore a backup.`,
      { cause: error },
    );
  });
  const original = named.trim();
  if (original === folder) return;
  if ((await placeOf(original).catch(() => undefined)) === place) {
    throw new StartError(
      `The data folder of ${folder} is a copy of that of ${original}, and their database in ${place} is the same: copy it with backup and restore instead.`,
    );
  }
  await writeDurably(join(place, FOLDER_FILE), `${folder}\n`);
}

/** Children first, so that an interrupted hand-over is seen by the folder and taken up again. */
async function handOver(folder: string, { uid, gid }: Account): Promise<void> {
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

async function moveElsewhere(folder: string, account: Account): Promise<string> {
  const place = join(ELSEWHERE, createHash('sha256').update(folder).digest('hex').slice(0, 16));
  await setAside(place);
  await mkdir(place, { recursive: true, mode: 0o755 });
  const cluster = clusterOf(folder);
  if ((await ownerOf(cluster)) !== undefined) {
    await stopServer(folder);
    await cp(cluster, clusterOf(place), { recursive: true });
  }
  await handOver(place, account);
  await writeDurably(join(place, FOLDER_FILE), `${folder}\n`);
  await writeDurably(placeFile(folder), `${place}\n`);
  await rm(cluster, { recursive: true, force: true });
  return place;
}

/** The database of a data folder that was removed is kept, but a new one begins empty. */
async function setAside(place: string): Promise<void> {
  if ((await ownerOf(place)) === undefined) return;
  await stopServer(place);
  await rename(place, `${place}.left-${new Date().toISOString().replaceAll(':', '-')}`);
}
