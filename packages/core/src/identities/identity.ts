import type { DetectionType } from '../detection-type.ts';

/** A named person, or a class of objects. */
export interface Identity {
  readonly id: number;
  readonly type: DetectionType;
  /** Unique within environment and type. */
  readonly label: string;
  readonly externalRef: string | null;
  readonly coverDetectionId: number | null;
  readonly createdAt: Date;
}

export interface NewIdentity extends Pick<Identity, 'type' | 'label' | 'externalRef'> {
  /** The current time if absent. */
  readonly createdAt?: Date;
}

export interface IdentityDetails extends Identity {
  readonly detectionCount: number;
  /** The number of references for the active face model. */
  readonly embeddingCount: number;
  readonly pendingReviewCount: number;
  /** When the newest detection was detected; null without a detection. */
  readonly lastSeenAt: Date | null;
  /** The crop of the cover; without a cover, that of the newest confirmed detection. */
  readonly thumbnail: Thumbnail | null;
}

export interface Thumbnail {
  readonly detectionId: number;
  readonly cropKey: string;
}
