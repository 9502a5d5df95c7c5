import type { MediaStore } from './media-store.ts';

const BATCH = 1000;

/**
 * Removes files after the transaction that deleted their rows. It ignores errors, because the worker later removes
 * files without rows as orphans.
 */
export async function discardFiles(
  media: Pick<MediaStore, 'remove'>,
  keys: readonly string[],
): Promise<void> {
  for (let start = 0; start < keys.length; start += BATCH) {
    await media.remove(keys.slice(start, start + BATCH)).catch(() => undefined);
  }
}
