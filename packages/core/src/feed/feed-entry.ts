/** A change of an identity or a detection, as the change feed lists it. */
export interface FeedEntry {
  /** Dense and rising within an environment. */
  readonly id: number;
  readonly eventId: string;
  readonly entityType: 'detection' | 'identity';
  readonly entityId: number;
  readonly action: FeedAction;
  /** The external_ref of the identity, or of the detection's source image. */
  readonly externalRef: string | null;
  readonly createdAt: Date;
}

export type FeedAction = 'created' | 'relabeled' | 'updated' | 'merged' | 'deleted';

export type NewFeedEntry = Omit<FeedEntry, 'id'> & { readonly environmentId: number };
