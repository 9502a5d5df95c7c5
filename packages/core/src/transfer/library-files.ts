import type { LibraryImage } from '../library/library-image.ts';
import type { MediaStore } from '../media/media-store.ts';
import { readObject } from '../media/read-object.ts';
import { workAhead } from '../concurrency/work-ahead.ts';

/** A file that is copied into the archive. */
export interface LibraryFile {
  readonly kind: 'image' | 'original' | 'crop';
  /** The id of the image; for a crop, the id of the detection. */
  readonly id: number;
  readonly key: string;
  readonly size: number;
}

export interface ReadLibraryFile extends LibraryFile {
  readonly bytes: Uint8Array;
}

/** Returns the files of an image. The crops come last. */
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
 * Reads all files of an image; null if a file is missing or damaged.
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
