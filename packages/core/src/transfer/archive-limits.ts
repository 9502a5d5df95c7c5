import type { Identity } from '../identities/identity.ts';
import type { LibraryImage } from '../library/library-image.ts';
import { filesOf } from './library-files.ts';

/** The limits of one image in an archive. An import has all data of an image in memory. */
export interface ArchivedImageLimits {
  readonly detections: number;
  /** The most rejections of all detections together. */
  readonly rejections: number;
  /** The most floats in the vectors of all detections together. */
  readonly floats: number;
  /** The most vectors of one detection, which has at most one per model. */
  readonly vectors: number;
  /** The most bytes of one file. */
  readonly fileBytes: number;
}

/** The limits of an archive. An export does not exceed them, and an import refuses an archive that does. */
export interface ArchiveLimits {
  readonly image: ArchivedImageLimits;
  /** The most files of the archive, because their list is in memory during an import. */
  readonly entries: number;
  /** The most face models of which the archive has vectors. */
  readonly models: number;
  /** The most bytes of the file of identities, which is in memory during an import. */
  readonly identitiesBytes: number;
}

export const ARCHIVE_LIMITS: ArchiveLimits = {
  image: {
    // No photo shows even a quarter of this number of faces and objects.
    detections: 40_000,
    rejections: 400_000,
    // 64 MiB are a hundred times the vectors of a photo of a crowd.
    floats: 16 * 1024 ** 2,
    vectors: 1000,
    fileBytes: 64 * 1024 ** 2,
  },
  entries: 2_000_000,
  // No installation has used this many models.
  models: 1000,
  // This is enough for a million identities.
  identitiesBytes: 256 * 1024 ** 2,
};

/** The number of entries that do not belong to images: the head, the identities and the models. */
const HEAD_ENTRIES = 3;
/**
 * The number of entries that a page of images has besides the files of the images. They are counted once for each
 * image, because an image may be alone on its page.
 */
const ENTRIES_OF_PAGE = 2;

/** Counts how much room for images an archive has left. */
export class ArchiveRoom {
  readonly #image: ArchivedImageLimits;
  readonly #mostModels: number;
  readonly #models = new Set<number>();
  #entries: number;

  constructor({ image, entries, models }: ArchiveLimits) {
    this.#image = image;
    this.#mostModels = models;
    this.#entries = entries - HEAD_ENTRIES;
  }

  /**
   * Takes room for an image. If an import would refuse the archive with this image, takes no room and returns false. An
   * image that is read again takes room again.
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

/** The ids of the models of which an image has vectors. */
export function modelsOf({ detections }: LibraryImage): readonly number[] {
  return detections.flatMap(({ vectors }) => vectors.map(({ modelId }) => modelId));
}

/** The most bytes of an identity's record without its label and external reference. */
const IDENTITY_BYTES = 160;

/** Returns as many identities, from the first, as fit into an archive's file of identities. */
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

function isWithin(image: LibraryImage, limits: ArchivedImageLimits): boolean {
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
