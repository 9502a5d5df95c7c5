import type { MediaStore } from './media-store.ts';

const BATCH = 1000;

/**
 * Removes files whose rows were deleted, after the commit. Never throws: the change is committed,
 * and files that could not be removed are orphans, which the worker collects.
 */
export async function discardFiles(
  media: Pick<MediaStore, 'remove'>,
  keys: readonly string[],
): Promise<void> {
  for (let start = 0; start < keys.length; start += BATCH) {
    await media.remove(keys.slice(start, start + BATCH)).catch(() => undefined);
  }
}
