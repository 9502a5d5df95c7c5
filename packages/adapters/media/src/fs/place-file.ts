import { randomUUID } from 'node:crypto';
import { rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type LocalFile, piecesOf } from '@sightline/core/media/local-file';
import { type FileContent, removeIfThere, writeDurably } from './durable-file.ts';
import { type DurableFolders, syncFolder } from './durable-folders.ts';

/** Where a file appears, and the folder on the same disk in which it is written. */
interface Place {
  readonly path: string;
  readonly temporary: string;
  readonly folders: DurableFolders;
}

/** Of a file that is copied, at a time. */
const COPY_BYTES = 1024 * 1024;

/**
 * Makes a file appear by one rename, when all of it is on disk. After a failure it may be there already.
 *
 * @throws the errors of the file system and of the content; the signal's reason on abort
 */
export async function placeFile(
  { path, temporary, folders }: Place,
  content: FileContent,
  signal: AbortSignal | undefined,
): Promise<void> {
  const unfinished = join(temporary, randomUUID());
  try {
    await writeDurably(unfinished, content, signal);
    await folders.make(dirname(path));
    signal?.throwIfAborted();
    await rename(unfinished, path);
    await syncFolder(dirname(path));
  } catch (error) {
    folders.forget();
    await removeIfThere(unfinished);
    throw error;
  }
}

/** A copy of a local file, read piece by piece. */
export function copyOf(file: LocalFile): FileContent {
  return piecesOf(file, COPY_BYTES);
}
