import type { BoundingBox, Point } from '../analysis/geometry.ts';
import type { EmbeddingSource, HeadPose } from '../analysis/image-analyzer.ts';
import type { DetectionType } from '../detection-type.ts';

export type ReviewStatus = 'pending' | 'confirmed' | 'rejected';

/** A face or an object in a source image. */
export interface Detection {
  readonly id: number;
  readonly type: DetectionType;
  readonly sourceImageId: number;
  readonly bbox: BoundingBox;
  /** The detector's score, 0..1; 1 for a box that a person drew. */
  readonly confidence: number;
  /** How fit a face is for enrollment, 0..1; null for objects. */
  readonly quality: number | null;
  /** The five points of an analyzed face; null for objects and if none were found. */
  readonly landmarks: readonly Point[] | null;
  readonly classId: number | null;
  readonly className: string | null;
  /** Null: unidentified. */
  readonly identityId: number | null;
  /** The label of the identity. */
  readonly label: string | null;
  /** The similarity to the identity at the time of the decision, -1..1; null if nothing was compared. */
  readonly similarity: number | null;
  readonly reviewStatus: ReviewStatus;
  /** The decider of identity and status. A person's decision is never changed automatically. */
  readonly decidedBy: 'automatic' | 'human';
  readonly isManual: boolean;
  /** Null for objects, and for faces without an embedding. */
  readonly embeddingSource: EmbeddingSource | null;
  readonly age: number | null;
  readonly gender: 'M' | 'F' | null;
  readonly pose: HeadPose | null;
  readonly cropKey: string;
  /** When a person took the detection out of the review queue. */
  readonly dismissedAt: Date | null;
  readonly mismatchReviewed: boolean;
  readonly detectedAt: Date;
}

/** The history of a detection in the installation that it was imported from. */
export type DetectionHistory = Pick<Detection, 'detectedAt' | 'dismissedAt' | 'mismatchReviewed'>;

/** A detection to be stored. */
export interface NewDetection extends Omit<
  Detection,
  'id' | 'sourceImageId' | 'label' | keyof DetectionHistory
> {
  readonly cropBytes: number;
  /** Absent: it is detected now. */
  readonly history?: DetectionHistory;
  /** The embedding of a face, with the model that made it. */
  readonly embedding: { readonly modelId: number; readonly vector: Float32Array } | null;
}

/** The fields that a decision about a stored detection changes. */
export interface DetectionDecision extends Pick<
  Detection,
  'identityId' | 'similarity' | 'reviewStatus' | 'decidedBy'
> {
  /** Whether a dismissed detection stays dismissed; otherwise the decision ends its dismissal. */
  readonly keepsDismissal?: boolean;
}

/**
 * An identity that a face was rejected from: the face is never matched with it again, nor is it
 * suggested.
 */
export interface Rejection {
  readonly detectionId: number;
  readonly identityId: number;
  /** Whether the last rejection of the face was from this identity; false if it had none. */
  readonly isLatest: boolean;
}

/** A rejection that another installation recorded. */
export interface ImportedRejection extends Rejection {
  readonly rejectedAt: Date;
}
