import { type FileHandle, open, unlink } from 'node:fs/promises';
import { isAbsence } from './store-error.ts';

export type FileContent = Uint8Array | AsyncIterable<Uint8Array>;

/** Writes a new file, readable for its owner alone, and forces its bytes to disk. */
export async function writeDurably(
  path: string,
  content: FileContent,
  signal: AbortSignal | undefined,
): Promise<void> {
  await using file = await open(path, 'wx', 0o600);
  await file.writeFile(content, { signal });
  signal?.throwIfAborted();
  await file.sync();
}

export async function openIfThere(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, 'r');
  } catch (error) {
    if (isAbsence(error)) return null;
    throw error;
  }
}

export async function removeIfThere(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    if (!isAbsence(error)) throw error;
  }
}
