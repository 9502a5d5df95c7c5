import { rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from './sync-folder.ts';

export type FileContent = string | Uint8Array | AsyncIterable<Uint8Array>;

export interface DurableWrite {
  /** The path of the temporary file, on the same disk. Default: the target path with the suffix `.new`. */
  readonly temporary?: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Writes a file atomically. After a crash, the file contains either the whole old content or the whole new content.
 * Only the owner can read the file. A failure may leave the temporary file.
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
