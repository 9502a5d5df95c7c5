import { rm } from 'node:fs/promises';
import { locationOf } from './postgres-home.ts';
import { stopServer } from './stop-server.ts';

/**
 * Deletes the database of a folder, wherever it is. Stops its server first, which may have outlived
 * its service.
 *
 * @param folder absolute; need not exist
 */
export async function removeDatabase(folder: string): Promise<void> {
  const location = await locationOf(folder);
  await stopServer(location);
  await rm(location, { recursive: true, force: true });
  await rm(folder, { recursive: true, force: true });
}
