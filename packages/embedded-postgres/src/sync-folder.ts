import { open } from 'node:fs/promises';

/** Makes the names in a folder durable: those of files that were made, renamed or removed there. */
export async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder, 'r');
  await handle.sync();
}
