import { boundsOf, type ByteRange } from '@sightline/core/media/byte-range';
import type { MediaObject } from '@sightline/core/media/media-store';
import { openIfThere } from './existing-file.ts';
import { withStoreErrors } from './store-error.ts';
import { streamFile } from './stream-file.ts';

/**
 * Opens a file, or a range of its bytes, for reading; null if the file does not exist.
 *
 * @throws StoreUnavailable; the signal's reason on abort
 */
export async function openObject(
  path: string,
  range?: ByteRange,
  signal?: AbortSignal,
): Promise<MediaObject | null> {
  const file = await withStoreErrors(() => openIfThere(path), signal);
  if (file === null) return null;
  try {
    const { size } = await withStoreErrors(() => file.stat(), signal);
    return { size, body: streamFile(file, boundsOf(range, size), signal) };
  } catch (error) {
    await file.close();
    throw error;
  }
}
