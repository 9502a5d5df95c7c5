import { open } from 'node:fs/promises';

/** Flushes the entries of a folder to disk (fsync), after files in the folder were created, renamed or removed. */
export async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder, 'r');
  await handle.sync();
}
