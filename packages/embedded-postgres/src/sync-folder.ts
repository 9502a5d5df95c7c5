import { open } from 'node:fs/promises';

/** Makes the directory entries of a folder durable after files were created, renamed or deleted. */
export async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder, 'r');
  await handle.sync();
}
