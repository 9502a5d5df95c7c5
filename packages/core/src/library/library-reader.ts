import type { LibraryImage, LibraryModel } from './library-image.ts';

/** The images of an environment at one moment. */
export interface LibraryExtent {
  readonly images: number;
  /** The highest id; 0 if there are none. Images that are posted later have higher ones. */
  readonly lastImageId: number;
}

/** Images in the order of their ids. */
export interface LibraryPart {
  /** Only images of these identities, and of faces rejected from them; null: all. */
  readonly identityIds: readonly number[] | null;
  /** Only images with a higher id. */
  readonly after: number;
  /** Only images with this id or a lower one. */
  readonly upTo: number;
  readonly limit: number;
}

export interface LibraryPosition {
  readonly id: number;
  readonly detectionCount: number;
}

/**
 * Reads images with all their rows, for an archive. Rows of an identity that is being deleted are
 * not found; those of an identity that is being merged appear as the target's.
 */
export interface LibraryReader {
  /** Counts the images of these identities and of faces rejected from them; null: all images. */
  extent(identityIds: readonly number[] | null): Promise<LibraryExtent>;
  /**
   * The total size of the files of these identities' images, with all their crops, in bytes; null:
   * of all images.
   */
  fileBytes(identityIds: readonly number[] | null): Promise<number>;
  positions(part: LibraryPart): Promise<readonly LibraryPosition[]>;
  /** The images with these ids that exist, ascending by id, with all of their detections. */
  images(ids: readonly number[]): Promise<readonly LibraryImage[]>;
  /** The models with these ids, ascending. */
  models(ids: readonly number[]): Promise<readonly LibraryModel[]>;
}
