import type { Scale } from './scale-region.ts';
import type { MediaStore } from '../media/media-store.ts';
import { readObject } from '../media/read-object.ts';
import { ImageCorrupt } from '../sources/image-errors.ts';
import type { SourceImage } from '../sources/source-image.ts';

/**
 * Reads the best stored file of an image: the original bytes if they were kept, else the stored
 * JPEG.
 *
 * @throws ImageCorrupt if the file is missing or is not what was stored; StoreUnavailable
 */
export function readStoredFile(
  media: Pick<MediaStore, 'open'>,
  source: SourceImage,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  return readWhole(media, source.originalKey ?? source.mediaKey, signal);
}

/**
 * Reads the file of an image.
 *
 * @throws ImageCorrupt if the file is missing or is not what was stored; StoreUnavailable
 */
export async function readWhole(
  media: Pick<MediaStore, 'open'>,
  key: string,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  const found = await readObject(media, key, signal);
  if (found === 'gone') throw new ImageCorrupt('The stored image is gone.');
  if (found === 'damaged') throw new ImageCorrupt('The stored image is not what was stored.');
  return found;
}

/** The scale from pixels of the upright original to pixels of the file from {@link readStoredFile}. */
export function scaleToFile(source: SourceImage): Scale {
  if (source.originalKey !== null) return { x: 1, y: 1 };
  return { x: source.storedWidth / source.width, y: source.storedHeight / source.height };
}

/** The scale from pixels of the file from {@link readStoredFile} to pixels of the upright original. */
export function scaleToOriginal(source: SourceImage): Scale {
  if (source.originalKey !== null) return { x: 1, y: 1 };
  return { x: source.width / source.storedWidth, y: source.height / source.storedHeight };
}
