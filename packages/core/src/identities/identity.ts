import type { DetectionType } from '../detection-type.ts';

/** A named person or kind of thing. */
export interface Identity {
  readonly id: number;
  readonly type: DetectionType;
  /** Unique within (environment, type). */
  readonly label: string;
  readonly externalRef: string | null;
  readonly coverDetectionId: number | null;
  readonly createdAt: Date;
}

export interface NewIdentity extends Pick<Identity, 'type' | 'label' | 'externalRef'> {
  /** Absent: it is created now. */
  readonly createdAt?: Date;
}

/** An identity with counts and a thumbnail of its detections. */
export interface IdentityDetails extends Identity {
  readonly detectionCount: number;
  /** References of the active face model. */
  readonly embeddingCount: number;
  readonly pendingReviewCount: number;
  /** The crop of the cover, else of the newest confirmed detection. */
  readonly thumbnail: Thumbnail | null;
}

/** The crop that shows an identity. */
export interface Thumbnail {
  readonly detectionId: number;
  readonly cropKey: string;
}
