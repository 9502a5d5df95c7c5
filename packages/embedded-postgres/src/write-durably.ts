import { rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from './sync-folder.ts';

/** Writes a small file so that a crash leaves the old or the new text, readable by its owner. */
export async function writeDurably(path: string, text: string): Promise<void> {
  const half = `${path}.new`;
  await writeFile(half, text, { mode: 0o600, flush: true });
  await rename(half, path);
  await syncFolder(dirname(path));
}
