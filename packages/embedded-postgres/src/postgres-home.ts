import { chmod, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode } from './has-code.ts';
import type { Account } from './run-program.ts';

/** The location of a database, and the account that runs its server. */
export interface PostgresHome {
  /**
   * Absolute path. It contains the cluster, the log, and the socket if the path is short enough.
   */
  readonly location: string;
  /** Undefined for the account of this process. */
  readonly account: Account | undefined;
}

/** The folder for databases and binaries that the account of root's server cannot reach in place. */
export const EXTERNAL_ROOT = '/var/lib/sightline';

/** Creates a folder that all accounts can enter, whatever the umask is. */
export async function makeShared(folder: string): Promise<void> {
  const created = await mkdir(folder, { recursive: true });
  if (created !== undefined) await chmod(folder, 0o755);
}

/** The folder that Postgres calls its data directory. */
export function clusterOf(location: string): string {
  return join(location, 'cluster');
}

/** The server's log: starts, shutdowns and failures. */
export function logOf(location: string): string {
  return join(location, 'server.log');
}

/** The file in the data folder that names the location of an external database. */
export function locationFile(folder: string): string {
  return join(folder, 'place');
}

/**
 * Location of the database of a folder: the folder itself, unless the folder names another one.
 *
 * @param folder absolute
 */
export async function locationOf(folder: string): Promise<string> {
  try {
    return (await readFile(locationFile(folder), 'utf8')).trim();
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return folder;
    throw error;
  }
}
