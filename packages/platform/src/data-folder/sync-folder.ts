import { open } from 'node:fs/promises';

/** Forces the entries of a folder to disk, after files in it were created, renamed or removed. */
export async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder, 'r');
  await handle.sync();
}
