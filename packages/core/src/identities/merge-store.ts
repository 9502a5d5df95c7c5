import type { Identity } from './identity.ts';

/** A merge in progress, which moves rows from one identity to another. Readers already see all rows as the target's. */
export interface Merge {
  readonly from: number;
  readonly into: number;
}

/** A page of the faces that were rejected from one of the two identities, ascending. */
export interface RejectionPage {
  /** The last face of the previous page; 0 for the first page. */
  readonly after: number;
  readonly limit: number;
}

export interface Conflicts {
  /** The ids of the page's faces that are assigned to one of the two identities, ascending. */
  readonly ids: readonly number[];
  /** The last face of the page; null if no further page follows. */
  readonly last: number | null;
}

/**
 * Moves the rows of an identity that is being merged. All methods need exclusive locks of both identities. Other
 * transactions that change a face lock only one of them: the target, to which the face belongs for readers.
 */
export interface MergeWriter {
  /**
   * Starts the merge. After the commit, readers do not find the source, and see its detections and references as the
   * target's. The sums of the source's references, which give its mean vectors, are added to those of the target. If
   * the target has no cover or no external reference, it gets those of the source.
   */
  begin(source: Identity, target: Identity): Promise<void>;
  /** Reads a page of rejected faces, and returns those of one identity that were rejected from the other. */
  conflicts(merge: Merge, page: RejectionPage): Promise<Conflicts>;
  /**
   * Searches the images of the next `limit` detections that `moveDetections` moves. Returns the ids of faces that the
   * service assigned to one of the identities although it assigned a more similar face of the same image to the other
   * one, ascending.
   */
  doubles(merge: Merge, limit: number): Promise<readonly number[]>;
  /** Suggests the target for these faces, with the similarity with which they were assigned. */
  suggest(detectionIds: readonly number[], merge: Merge): Promise<void>;
  /** Removes the identity of these faces, which become pending, and keeps their rejections. */
  unassign(detectionIds: readonly number[], merge: Merge): Promise<void>;
  /** Deletes the rejections of these faces from both identities. */
  forgetRejections(detectionIds: readonly number[], merge: Merge): Promise<void>;
  /** Moves at most `limit` rejections, oldest first. If a face was rejected from both identities, the later one is kept. */
  moveRejections(merge: Merge, limit: number): Promise<number>;
  /** Moves at most `limit` detections with their references, oldest first. */
  moveDetections(merge: Merge, limit: number): Promise<number>;
  /** Moves at most `limit` suggestions. If a face has suggestions for both identities, the more similar one is kept. */
  moveSuggestions(merge: Merge, limit: number): Promise<number>;
  end(merge: Merge): Promise<void>;
}
