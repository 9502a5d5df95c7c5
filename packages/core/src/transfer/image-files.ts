import type { LibraryImage } from '../library/library-image.ts';
import type { MediaStore } from '../media/media-store.ts';
import { readObject } from '../media/read-object.ts';
import { workAhead } from './work-ahead.ts';

/** A file of an image, of which the archive gets a copy. */
export interface LibraryFile {
  readonly kind: 'image' | 'original' | 'crop';
  /** The id of the image, or of the detection that a crop shows. */
  readonly id: number;
  readonly key: string;
  readonly size: number;
}

export interface ReadLibraryFile extends LibraryFile {
  readonly bytes: Uint8Array;
}

/** The files of an image: its own first, then the crops. */
export function filesOf({ source, mediaBytes, detections }: LibraryImage): readonly LibraryFile[] {
  const { id, mediaKey, originalKey, sizeBytes } = source;
  return [
    { kind: 'image', id, key: mediaKey, size: mediaBytes },
    ...(originalKey === null
      ? []
      : [{ kind: 'original' as const, id, key: originalKey, size: sizeBytes }]),
    ...detections.map(({ id, cropKey, cropBytes }) => ({
      kind: 'crop' as const,
      id,
      key: cropKey,
      size: cropBytes,
    })),
  ];
}

/** The number of files of an image that are read at a time. */
const AT_ONCE = { weigh: () => 1, most: 16 };

/**
 * Reads all files of an image; null if one is missing or is not what was stored.
 *
 * @throws StoreUnavailable; the signal's reason on abort
 */
export async function readFiles(
  media: Pick<MediaStore, 'open'>,
  image: LibraryImage,
  signal?: AbortSignal,
): Promise<readonly ReadLibraryFile[] | null> {
  const read: ReadLibraryFile[] = [];
  const files = workAhead(filesOf(image), AT_ONCE, async (file) => ({
    file,
    found: await readObject(media, file.key, signal),
  }));
  for await (const { file, found } of files) {
    if (typeof found === 'string' || found.length !== file.size) return null;
    read.push({ ...file, bytes: found });
  }
  return read;
}
