import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import { type LocalFile, piecesOf } from '@sightline/core/media/local-file';
import { type FileContent, writeDurably } from '@sightline/platform/data-folder/write-durably';
import type { DurableFolders } from './durable-folders.ts';
import { removeIfThere } from './existing-file.ts';

interface Place {
  readonly path: string;
  /** A folder on the same disk, in which the file is written before it is renamed. */
  readonly temporary: string;
  readonly folders: DurableFolders;
}

/** The number of bytes of a copied file that are in memory at a time. */
const COPY_BYTES = 1024 * 1024;

/**
 * Writes a file, and renames it to its path after the content is on disk. After an error the file may exist anyway.
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
    await folders.make(dirname(path));
    await writeDurably(path, content, { temporary: unfinished, signal });
  } catch (error) {
    folders.forget();
    await removeIfThere(unfinished);
    throw error;
  }
}

export function copyOf(file: LocalFile): FileContent {
  return piecesOf(file, COPY_BYTES);
}
