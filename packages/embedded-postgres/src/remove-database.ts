import { rm } from 'node:fs/promises';
import { placeOf } from './postgres-home.ts';
import { stopServer } from './stop-server.ts';

/**
 * Removes the database of a folder, wherever it stands, and stops its server, which may have outlived
 * its service.
 *
 * @param folder absolute; it need not be there
 */
export async function removeDatabase(folder: string): Promise<void> {
  const place = await placeOf(folder);
  await stopServer(place);
  await rm(place, { recursive: true, force: true });
  await rm(folder, { recursive: true, force: true });
}
