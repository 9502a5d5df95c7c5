import { rm } from 'node:fs/promises';
import { locationOf } from './postgres-home.ts';
import { stopServer } from './stop-server.ts';

/**
 * Deletes the database of a folder, also from an external location. First stops the server, which may still be running
 * after its service was killed.
 *
 * @param folder an absolute path, which need not exist
 */
export async function removeDatabase(folder: string): Promise<void> {
  const location = await locationOf(folder);
  await stopServer(location);
  await rm(location, { recursive: true, force: true });
  await rm(folder, { recursive: true, force: true });
}
