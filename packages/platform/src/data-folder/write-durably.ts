import { rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from './sync-folder.ts';

export type FileContent = string | Uint8Array | AsyncIterable<Uint8Array>;

export interface DurableWrite {
  /** The path on the same disk where the file is written first; the path with `.new` if absent. */
  readonly temporary?: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Writes a file, readable by its owner alone, so that after a crash it has the old content or the new one, all of it on
 * disk. A failure may leave the temporary file.
 *
 * @throws the errors of the file system and of the content; the signal's reason on abort
 */
export async function writeDurably(
  path: string,
  content: FileContent,
  { temporary = `${path}.new`, signal }: DurableWrite = {},
): Promise<void> {
  await writeFile(temporary, content, { mode: 0o600, flush: true, signal });
  signal?.throwIfAborted();
  await rename(temporary, path);
  await syncFolder(dirname(path));
}
