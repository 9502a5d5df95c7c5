import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode } from './has-code.ts';
import type { Account } from './run-program.ts';

/** Where a database stands and under which account its server runs. */
export interface PostgresHome {
  /** Absolute; holds the cluster, its socket where the path is short enough, and the log. */
  readonly place: string;
  /** Undefined for the account of the process itself. */
  readonly account: Account | undefined;
}

/** The folder that Postgres calls its data directory. */
export function clusterOf(place: string): string {
  return join(place, 'cluster');
}

/** What the server writes: its starts and ends, and what breaks. */
export function logOf(place: string): string {
  return join(place, 'server.log');
}

/** The file in the database's folder that names the place of a database that stands elsewhere. */
export function placeFile(folder: string): string {
  return join(folder, 'place');
}

/**
 * Where the database of a folder stands: there, unless the folder says that it is elsewhere.
 *
 * @param folder absolute
 */
export async function placeOf(folder: string): Promise<string> {
  try {
    return (await readFile(placeFile(folder), 'utf8')).trim();
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return folder;
    throw error;
  }
}
