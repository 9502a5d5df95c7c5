import type { DetectionType } from '../detection-type.ts';
import type { Buckets } from '../store/buckets.ts';
import type { Page } from '../store/page.ts';
import type { CountedSource, NewSourceImage, SourceImage } from './source-image.ts';

/** `taken`: the photos that were taken last come first; images without such a time come last. */
export type SourceOrder = 'newest' | 'oldest' | 'most_detections' | 'fewest_detections' | 'taken';

/** A filter of images. Absent members do not restrict the result. */
export interface SourceFilter {
  /** Images that show every one of these identities. */
  readonly identityIds?: readonly number[];
  readonly type?: DetectionType;
  readonly externalRef?: string;
  /** Uploaded at this time or later. */
  readonly since?: Date;
  /** Uploaded before this time. */
  readonly until?: Date;
  readonly noDetections?: boolean;
  /** Images without an identified face, including images without faces. */
  readonly noTaggedFaces?: boolean;
  readonly noCrops?: boolean;
  readonly hasManualDetections?: boolean;
  /** Images with an object of this class. */
  readonly className?: string;
  /** Images without a detection of this identity. */
  readonly withoutIdentityId?: number;
  /**
   * Images in which an identity has several detections. While an identity is merged in steps, an image counts from the
   * step that moves its detections.
   */
  readonly identityTwice?: boolean;
  /** Images with a detection of this status. */
  readonly reviewStatus?: 'pending' | 'confirmed' | 'rejected';
  /** Taken at this time or later. */
  readonly takenSince?: Date;
  /** Taken before this time. */
  readonly takenUntil?: Date;
  /** Uploaded at this time or before. */
  readonly asOf?: Date;
  /** The ids of images that are left out. */
  readonly except?: readonly number[];
}

/**
 * A position in a list of images. It has the values that all orders of the list need. The time of the photo is that of
 * the image only in the order `taken`.
 */
export type SourcePosition = Pick<
  CountedSource,
  'id' | 'uploadedAt' | 'detectionCount' | 'takenAt'
>;

/** Selects a page of a list of images. Ties are ordered by id, in the direction of the order. */
export interface SourcePage {
  readonly order: SourceOrder;
  /** The last position of the page before; null for the first page. */
  readonly after: SourcePosition | null;
  readonly limit: number;
}

/**
 * Reads images. Lists and counts are consistent if one `withScope` reads them. The detections of an identity that is
 * being deleted count for their images until the step that deletes them. The detections of an identity that is being
 * merged already belong to the target.
 */
export interface SourceReader {
  byId(id: number): Promise<SourceImage | null>;
  byDigest(digest: string): Promise<SourceImage | null>;
  /** Returns the digests that have an image. */
  knownDigests(digests: readonly string[]): Promise<ReadonlySet<string>>;
  /** The images with these ids that exist. */
  byIds(ids: readonly number[]): Promise<readonly SourceImage[]>;
  list(filter: SourceFilter, page: SourcePage): Promise<Page<CountedSource>>;
  /** Like {@link list}, but returns only positions. */
  positions(filter: SourceFilter, page: SourcePage): Promise<Page<SourcePosition>>;
  count(filter: SourceFilter): Promise<number>;
  /** Divides the list of images into buckets. The value is the one by which the images are ordered. */
  buckets(filter: SourceFilter, order: SourceOrder): Promise<Buckets<Date | number | null>>;
  /**
   * Returns those of the images that have no detection. A detection of an identity that is being deleted still counts
   * as a detection.
   */
  withoutDetections(ids: readonly number[]): Promise<readonly number[]>;
}

/** Writes images. All methods require the lock of the source. */
export interface SourceWriter {
  insert(source: NewSourceImage): Promise<SourceImage>;
  setExternalRef(source: SourceImage, externalRef: string): Promise<void>;
  /**
   * Deletes rows with their renditions. Returns the media keys of the renditions. The caller has deleted the detections
   * before, and deletes the files after the commit.
   */
  delete(sources: readonly SourceImage[]): Promise<readonly string[]>;
}
