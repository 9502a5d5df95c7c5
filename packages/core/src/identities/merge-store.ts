import type { Identity } from './identity.ts';

/** The rows of one identity move to another one, which readers already see as theirs. */
export interface Merge {
  /** The identity that leaves. */
  readonly from: number;
  readonly into: number;
}

/**
 * Moves what belongs to an identity that merges. Everything needs the locks of both identities,
 * exclusive: a use case that changes a face holds the lock of the identity that readers see it under.
 */
export interface MergeWriter {
  /**
   * Lets the source leave: from the commit on, readers find it no more, and see its detections and
   * references as the target's. The target's means take in those of the source, whose references count
   * for them from now on; and it gets the cover and the external reference of the source where it has
   * none.
   */
  begin(source: Identity, target: Identity): Promise<void>;
  /** Faces of one of the two that were rejected from the other, ascending; at most `limit`. */
  meetings(merge: Merge, limit: number): Promise<readonly number[]>;
  /** Takes the identity from these faces. Their rejections stay. */
  unassign(detectionIds: readonly number[], merge: Merge): Promise<void>;
  /** Forgets that these faces were rejected from one of the two. */
  forgetRejections(detectionIds: readonly number[], merge: Merge): Promise<void>;
  /** Moves rejections, in their order; of two of the same face the later one stays. */
  moveRejections(merge: Merge, limit: number): Promise<number>;
  /** Moves detections with their references, the oldest first. */
  moveDetections(merge: Merge, limit: number): Promise<number>;
  /** Moves suggestions; of two for the same face the more similar one stays. */
  moveSuggestions(merge: Merge, limit: number): Promise<number>;
  /** Deletes the source, whose detections and rejections have moved. */
  end(merge: Merge): Promise<void>;
}
