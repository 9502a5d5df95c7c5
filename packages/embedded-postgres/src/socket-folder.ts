import { chown, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PostgresHome } from './postgres-home.ts';

export const PORT = 5432;

/** The maximum length of a socket's path, in bytes: 107 on Linux, 103 on macOS. */
const MAX_PATH_BYTES = process.platform === 'darwin' ? 103 : 107;

/**
 * Creates a private, empty folder for the socket, in the database's location if its path is short enough. An old folder
 * is deleted, because the lock file of a killed server may name a pid that another process has now. The folder of a
 * former server is only emptied, because another account could create a folder with the same path meanwhile.
 */
export async function makeSocketFolder(
  { location, account }: PostgresHome,
  former?: string,
): Promise<string> {
  if (former !== undefined) {
    for (const name of await readdir(former)) await rm(join(former, name), { force: true });
    return former;
  }
  const inside = join(location, 'socket');
  await rm(inside, { recursive: true, force: true });
  const folder = fits(inside) ? inside : await mkdtemp(join(shortFolder(), 'sightline-'));
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (account !== undefined) await chown(folder, account.uid, account.gid);
  return folder;
}

/** Deletes a socket folder outside the database's location, after the server has ended. */
export async function removeSocketFolder(folder: string, location: string): Promise<void> {
  if (folder !== join(location, 'socket')) await rm(folder, { recursive: true, force: true });
}

function shortFolder(): string {
  return fits(join(tmpdir(), 'sightline-XXXXXX')) ? tmpdir() : '/tmp';
}

function fits(folder: string): boolean {
  return Buffer.byteLength(join(folder, `.s.PGSQL.${PORT}`)) <= MAX_PATH_BYTES;
}
