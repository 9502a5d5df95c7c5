/** A change of an identity or a detection in the change feed. */
export interface FeedEntry {
  /** Ids of an environment ascend without gaps. */
  readonly id: number;
  readonly eventId: string;
  readonly entityType: 'detection' | 'identity';
  readonly entityId: number;
  readonly action: FeedAction;
  /** The external_ref of the identity, or of the detection's source image. */
  readonly externalRef: string | null;
  readonly createdAt: Date;
  /** The operation of the undo that made the change; null for other changes. */
  readonly operationId: number | null;
}

export type FeedAction = 'created' | 'relabeled' | 'updated' | 'merged' | 'deleted';

export type NewFeedEntry = Omit<FeedEntry, 'id'> & { readonly environmentId: number };
