import type { Identity } from './identity.ts';

/** A merge: the rows of one identity move to another one. Readers already see them there. */
export interface Merge {
  /** The identity that is merged and then deleted. */
  readonly from: number;
  readonly into: number;
}

/**
 * Moves what belongs to an identity that merges. Everything needs the locks of both identities,
 * exclusive: a use case that changes a face holds the lock of the identity that readers see it under.
 */
export interface MergeWriter {
  /**
   * Begins the merge: from the commit on, readers do not find the source, and see its detections and
   * references as the target's. The means of the source are added to those of the target. The target gets
   * the cover and the external reference of the source if it has none.
   */
  begin(source: Identity, target: Identity): Promise<void>;
  /** Faces of one of the two that were rejected from the other, ascending; at most `limit`. */
  meetings(merge: Merge, limit: number): Promise<readonly number[]>;
  /** Takes the identity from these faces. Their rejections stay. */
  unassign(detectionIds: readonly number[], merge: Merge): Promise<void>;
  /** Forgets that these faces were rejected from one of the two. */
  forgetRejections(detectionIds: readonly number[], merge: Merge): Promise<void>;
  /** Moves rejections, in their order; if a face has two of them, the later one stays. */
  moveRejections(merge: Merge, limit: number): Promise<number>;
  /** Moves detections with their references, the oldest first. */
  moveDetections(merge: Merge, limit: number): Promise<number>;
  /** Moves suggestions; if a face has two of them, the more similar one stays. */
  moveSuggestions(merge: Merge, limit: number): Promise<number>;
  /** Deletes the source, whose detections and rejections have moved. */
  end(merge: Merge): Promise<void>;
}
