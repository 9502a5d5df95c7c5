import { rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from './sync-folder.ts';

/**
 * Writes a small file atomically and durably: after a crash it has the old or the new text. Only
 * its owner can read it.
 */
export async function writeDurably(path: string, text: string): Promise<void> {
  const temporary = `${path}.new`;
  await writeFile(temporary, text, { mode: 0o600, flush: true });
  await rename(temporary, path);
  await syncFolder(dirname(path));
}
