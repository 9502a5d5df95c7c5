import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import { type LocalFile, piecesOf } from '@sightline/core/media/local-file';
import { type FileContent, writeDurably } from '@sightline/platform/data-folder/write-durably';
import type { DurableFolders } from './durable-folders.ts';
import { removeIfThere } from './existing-file.ts';

/** The path of a file, and the folder on the same disk in which it is written first. */
interface Place {
  readonly path: string;
  readonly temporary: string;
  readonly folders: DurableFolders;
}

/** Bytes of a copied file that are read at a time. */
const COPY_BYTES = 1024 * 1024;

/**
 * Writes a file that appears by one rename, when all of it is on disk. After a failure the file may nevertheless
 * exist.
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

/** A copy of a local file, read piece by piece. */
export function copyOf(file: LocalFile): FileContent {
  return piecesOf(file, COPY_BYTES);
}
