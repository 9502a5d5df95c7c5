import { chown, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PostgresHome } from './postgres-home.ts';

export const PORT = 5432;

/** The longest path of a socket in bytes: 107 on Linux, 103 on macOS. */
const LONGEST = process.platform === 'darwin' ? 103 : 107;

/**
 * A private folder for the socket: in the place of the database if the path stays short enough. It is
 * empty: the lock that a killed server left beside its socket may name a pid that lives again.
 */
export async function makeSocketFolder({ place, account }: PostgresHome): Promise<string> {
  const inside = join(place, 'socket');
  await rm(inside, { recursive: true, force: true });
  const folder = fits(inside) ? inside : await mkdtemp(join(shortFolder(), 'sightline-'));
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (account !== undefined) await chown(folder, account.uid, account.gid);
  return folder;
}

/** A folder outside the place of the database is of no use after its server has ended. */
export async function removeSocketFolder(folder: string, place: string): Promise<void> {
  if (folder !== join(place, 'socket')) await rm(folder, { recursive: true, force: true });
}

function shortFolder(): string {
  return fits(join(tmpdir(), 'sightline-XXXXXX')) ? tmpdir() : '/tmp';
}

function fits(folder: string): boolean {
  return Buffer.byteLength(join(folder, `.s.PGSQL.${PORT}`)) <= LONGEST;
}
