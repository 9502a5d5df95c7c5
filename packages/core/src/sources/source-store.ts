import type { DetectionType } from '../detection-type.ts';
import type { Page } from '../store/page.ts';
import type { CountedSource, NewSourceImage, SourceImage } from './source-image.ts';

export type SourceOrder = 'newest' | 'oldest' | 'most_detections' | 'fewest_detections';

/** A filter of images; absent members do not restrict. */
export interface SourceFilter {
  /** Images with a detection of each of these identities. */
  readonly identityIds?: readonly number[];
  /** Images with detections of this type. */
  readonly type?: DetectionType;
  readonly externalRef?: string;
  /** Uploaded at this time or later. */
  readonly since?: Date;
  /** Uploaded before this time. */
  readonly until?: Date;
  readonly noDetections?: boolean;
  /** Images without an identified face, including images without faces. */
  readonly noTaggedFaces?: boolean;
  /** Images without stored crops. */
  readonly noCrops?: boolean;
  readonly hasManualDetections?: boolean;
}

/** A position in a list of images, whatever it is ordered by. */
export type SourcePosition = Pick<CountedSource, 'id' | 'uploadedAt' | 'detectionCount'>;

/** Part of a list of images; ties are ordered by id, in the direction of the order. */
export interface SourcePage {
  readonly order: SourceOrder;
  /** Null starts at the beginning. */
  readonly after: SourcePosition | null;
  readonly limit: number;
}

/**
 * Reads images. Lists and counts agree with each other if they are read in one `withScope`. Rows
 * that are deleted with their identity count nowhere from the first step of the deletion on; rows
 * that move in a merge count as the target's.
 */
export interface SourceReader {
  byId(id: number): Promise<SourceImage | null>;
  byDigest(digest: string): Promise<SourceImage | null>;
  /** The images with these ids that exist. */
  byIds(ids: readonly number[]): Promise<readonly SourceImage[]>;
  /** The images that match the filter. */
  list(filter: SourceFilter, page: SourcePage): Promise<Page<CountedSource>>;
  /** The same as {@link list}, but only the positions. */
  positions(filter: SourceFilter, page: SourcePage): Promise<Page<SourcePosition>>;
  /** How many images match the filter. */
  count(filter: SourceFilter): Promise<number>;
  /** The images among these that have no detection, not even one of an identity that is being deleted. */
  withoutDetections(ids: readonly number[]): Promise<readonly number[]>;
}

/** Needs the lock of the source. */
export interface SourceWriter {
  insert(source: NewSourceImage): Promise<SourceImage>;
  setExternalRef(source: SourceImage, externalRef: string): Promise<void>;
  /**
   * Removes rows, whose detections must have been removed before. The files are removed after the
   * commit.
   */
  delete(sources: readonly SourceImage[]): Promise<void>;
}
