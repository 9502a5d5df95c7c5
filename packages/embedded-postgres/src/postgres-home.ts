import { chmod, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode } from './has-code.ts';
import type { Account } from './run-program.ts';

export interface PostgresHome {
  /** An absolute path. The folder contains the cluster, the log and, if the path is short enough, the socket. */
  readonly location: string;
  /** The account that runs the server; undefined for the account of this process. */
  readonly account: Account | undefined;
}

/**
 * The folder for databases and binaries outside the data folder, for a server account that cannot enter root's folders.
 */
export const EXTERNAL_ROOT = '/var/lib/sightline';

/** Creates a folder that all accounts can enter, regardless of the umask. */
export async function makeShared(folder: string): Promise<void> {
  const created = await mkdir(folder, { recursive: true });
  if (created !== undefined) await chmod(folder, 0o755);
}

/** The folder that Postgres calls its data directory. */
export function clusterOf(location: string): string {
  return join(location, 'cluster');
}

export function logOf(location: string): string {
  return join(location, 'server.log');
}

/** The path of a file in the data folder that contains the location of an external database. */
export function locationFile(folder: string): string {
  return join(folder, 'place');
}

/**
 * The location of a folder's database: the folder itself, unless a file in it names another location.
 *
 * @param folder an absolute path
 */
export async function locationOf(folder: string): Promise<string> {
  try {
    return (await readFile(locationFile(folder), 'utf8')).trim();
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return folder;
    throw error;
  }
}
