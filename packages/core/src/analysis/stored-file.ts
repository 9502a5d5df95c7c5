import type { Scale } from './scale-region.ts';
import type { MediaStore } from '../media/media-store.ts';
import { readObject } from '../media/read-object.ts';
import { ImageCorrupt } from '../sources/image-errors.ts';
import type { SourceImage } from '../sources/source-image.ts';

/**
 * Reads the best stored file of an image: the original file if it was kept, else the stored JPEG.
 *
 * @throws ImageCorrupt if the file is missing or damaged; StoreUnavailable
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
 * @throws ImageCorrupt if the file is missing or damaged; StoreUnavailable
 */
export async function readWhole(
  media: Pick<MediaStore, 'open'>,
  key: string,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  const found = await readObject(media, key, signal);
  if (found === 'missing') throw new ImageCorrupt('The stored file of the image is missing.');
  if (found === 'damaged') throw new ImageCorrupt('The stored file of the image is damaged.');
  return found;
}

/** The scale from the upright original to the file of {@link readStoredFile}. */
export function scaleToFile(source: SourceImage): Scale {
  if (source.originalKey !== null) return { x: 1, y: 1 };
  return { x: source.storedWidth / source.width, y: source.storedHeight / source.height };
}

/** The scale from the file of {@link readStoredFile} to the upright original. */
export function scaleToOriginal(source: SourceImage): Scale {
  if (source.originalKey !== null) return { x: 1, y: 1 };
  return { x: source.width / source.storedWidth, y: source.height / source.storedHeight };
}
