import type { LibraryImage, LibraryModel } from './library-image.ts';

/** The number of images, and the highest id among them, at the time of the read. */
export interface LibraryExtent {
  readonly images: number;
  /** The highest id of an image; 0 without images. Images that are posted later have higher ids. */
  readonly lastImageId: number;
}

/** Selects images, which are read in the order of their ids. */
export interface LibraryPart {
  /** Only images with faces of these identities, or with faces rejected from them, are read. Null for all images. */
  readonly identityIds: readonly number[] | null;
  readonly after: number;
  /** Only images with this id or a lower id are read. */
  readonly upTo: number;
  readonly limit: number;
}

export interface LibraryPosition {
  readonly id: number;
  readonly detectionCount: number;
}

/**
 * Reads images with all their rows, for an archive. Rows of an identity that is being deleted are not found. Rows of an
 * identity that is being merged appear as the target's.
 */
export interface LibraryReader {
  /** @param identityIds as in {@link LibraryPart} */
  extent(identityIds: readonly number[] | null): Promise<LibraryExtent>;
  /**
   * Returns the total size of the images and all their crops, in bytes.
   *
   * @param identityIds as in {@link LibraryPart}
   */
  fileBytes(identityIds: readonly number[] | null): Promise<number>;
  positions(part: LibraryPart): Promise<readonly LibraryPosition[]>;
  /** Returns the existing images with these ids, ascending by id, with all their detections. */
  images(ids: readonly number[]): Promise<readonly LibraryImage[]>;
  /** Returns the models with these ids, ascending by id. */
  models(ids: readonly number[]): Promise<readonly LibraryModel[]>;
}
