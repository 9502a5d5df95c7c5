import type { LibraryImage } from '../library/library-image.ts';
import { filesOf } from './image-files.ts';

/** What an import accepts of one image, which is in memory as a whole. An export writes no more. */
export interface ImageLimits {
  readonly detections: number;
  /** Of all its detections. */
  readonly rejections: number;
  /** Of the vectors of all its detections. */
  readonly floats: number;
  /** Of each of its files. */
  readonly fileBytes: number;
}

/** Of an archive: exports keep to them, imports refuse what is beyond. */
export interface ArchiveLimits {
  readonly image: ImageLimits;
  /** Files of the archive: more would take too much memory to list. */
  readonly entries: number;
}

export const ARCHIVE_LIMITS: ArchiveLimits = {
  image: {
    // Four times what any photo has.
    detections: 40_000,
    rejections: 400_000,
    // 64 MiB, a hundred times a crowd's.
    floats: 16 * 1024 ** 2,
    fileBytes: 64 * 1024 ** 2,
  },
  entries: 2_000_000,
};

/** Those of the archive itself: its head, its identities and its models. */
const HEAD_ENTRIES = 3;
/** An image may be alone on its page, which has two files. */
const ENTRIES_OF_PAGE = 2;

/** How much of an archive is left for images. */
export class ArchiveRoom {
  readonly #image: ImageLimits;
  #entries: number;

  constructor({ image, entries }: ArchiveLimits) {
    this.#image = image;
    this.#entries = entries - HEAD_ENTRIES;
  }

  /**
   * Takes the room of an image, each time it is read; false, and none is taken, if an import would refuse
   * the archive with it.
   */
  take(image: LibraryImage): boolean {
    const entries = filesOf(image).length + ENTRIES_OF_PAGE;
    if (entries > this.#entries || !isWithin(image, this.#image)) return false;
    this.#entries -= entries;
    return true;
  }
}

function isWithin(image: LibraryImage, limits: ImageLimits): boolean {
  const { detections } = image;
  const rejections = sumOf(detections, (detection) => detection.rejections.length);
  const floats = sumOf(detections, ({ vectors }) => sumOf(vectors, ({ vector }) => vector.length));
  return (
    detections.length <= limits.detections &&
    rejections <= limits.rejections &&
    floats <= limits.floats &&
    filesOf(image).every(({ size }) => size <= limits.fileBytes)
  );
}

function sumOf<Item>(items: readonly Item[], of: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + of(item), 0);
}
