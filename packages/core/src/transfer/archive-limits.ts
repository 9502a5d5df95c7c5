import type { Identity } from '../identities/identity.ts';
import type { LibraryImage } from '../library/library-image.ts';
import { filesOf } from './image-files.ts';

/**
 * The limits of one image, which an import holds in memory as a whole. An export writes no more.
 */
export interface ImageLimits {
  readonly detections: number;
  /** The rejections of all its detections. */
  readonly rejections: number;
  /** The floats of the vectors of all its detections. */
  readonly floats: number;
  /** The vectors of each detection: at most one per model that ever was. */
  readonly vectors: number;
  /** The bytes of each of its files. */
  readonly fileBytes: number;
}

/** The limits of an archive: exports stay within them, and imports refuse an archive beyond them. */
export interface ArchiveLimits {
  readonly image: ImageLimits;
  /** The files of the archive: more would take too much memory to list. */
  readonly entries: number;
  /** The face models whose vectors it has. */
  readonly models: number;
  /** The bytes of the file of identities, which are in memory during an import. */
  readonly identitiesBytes: number;
}

export const ARCHIVE_LIMITS: ArchiveLimits = {
  image: {
    // Four times what any photo has.
    detections: 40_000,
    rejections: 400_000,
    // 64 MiB, a hundred times the vectors of a crowd.
    floats: 16 * 1024 ** 2,
    vectors: 1000,
    fileBytes: 64 * 1024 ** 2,
  },
  entries: 2_000_000,
  // More models than any installation has had.
  models: 1000,
  // The records of more than a million identities.
  identitiesBytes: 256 * 1024 ** 2,
};

/** The entries of the archive itself: its head, its identities and its models. */
const HEAD_ENTRIES = 3;
/** An image may be alone on its page, which has two files. */
const ENTRIES_OF_PAGE = 2;

/** The room that an archive has left for images. */
export class ArchiveRoom {
  readonly #image: ImageLimits;
  readonly #mostModels: number;
  readonly #models = new Set<number>();
  #entries: number;

  constructor({ image, entries, models }: ArchiveLimits) {
    this.#image = image;
    this.#mostModels = models;
    this.#entries = entries - HEAD_ENTRIES;
  }

  /**
   * Takes room for an image, each time the image is read. If an import would refuse the archive
   * with the image, returns false and takes none.
   */
  take(image: LibraryImage): boolean {
    const entries = filesOf(image).length + ENTRIES_OF_PAGE;
    if (entries > this.#entries || !isWithin(image, this.#image)) return false;
    const models = new Set([...this.#models, ...modelsOf(image)]);
    if (models.size > this.#mostModels) return false;
    models.forEach((id) => this.#models.add(id));
    this.#entries -= entries;
    return true;
  }
}

/** The models whose vectors an image has. */
export function modelsOf({ detections }: LibraryImage): readonly number[] {
  return detections.flatMap(({ vectors }) => vectors.map(({ modelId }) => modelId));
}

/** The most bytes that the record of an identity has besides its texts. */
const IDENTITY_BYTES = 160;

/** Returns the first of these identities, as many as the identities' file of an archive may have. */
export function identitiesWithin(
  identities: readonly Identity[],
  { identitiesBytes }: ArchiveLimits,
): readonly Identity[] {
  let left = identitiesBytes;
  const beyond = identities.findIndex(({ label, externalRef }) => {
    left -= IDENTITY_BYTES + Buffer.byteLength(JSON.stringify([label, externalRef]));
    return left < 0;
  });
  return beyond < 0 ? identities : identities.slice(0, beyond);
}

function isWithin(image: LibraryImage, limits: ImageLimits): boolean {
  const { detections } = image;
  const rejections = sumOf(detections, (detection) => detection.rejections.length);
  const floats = sumOf(detections, ({ vectors }) => sumOf(vectors, ({ vector }) => vector.length));
  return (
    detections.length <= limits.detections &&
    rejections <= limits.rejections &&
    floats <= limits.floats &&
    detections.every(({ vectors }) => vectors.length <= limits.vectors) &&
    filesOf(image).every(({ size }) => size <= limits.fileBytes)
  );
}

function sumOf<Item>(items: readonly Item[], of: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + of(item), 0);
}
