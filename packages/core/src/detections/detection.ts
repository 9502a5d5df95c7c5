import type { BoundingBox, Point } from '../analysis/geometry.ts';
import type { EmbeddingSource, HeadPose, QuarterTurn } from '../analysis/image-analyzer.ts';
import type { DetectionType } from '../detection-type.ts';

export type ReviewStatus = 'pending' | 'confirmed' | 'rejected';

/**
 * Why a model cannot make an embedding of a face. `implausible_landmarks`: the landmarks are not those of a face in any
 * direction, so the face cannot be aligned.
 */
export type UnembeddableReason = 'implausible_landmarks';

/** A face or an object in a source image. */
export interface Detection {
  readonly id: number;
  readonly type: DetectionType;
  readonly sourceImageId: number;
  readonly bbox: BoundingBox;
  /** The detector's score, 0 to 1; 1 for a box that a person drew. */
  readonly confidence: number;
  /** The quality of a face for enrollment, 0 to 1; null for objects. */
  readonly quality: number | null;
  /** The five landmarks of a face; null for objects, and if no landmarks were found. */
  readonly landmarks: readonly Point[] | null;
  readonly classId: number | null;
  readonly className: string | null;
  readonly identityId: number | null;
  readonly label: string | null;
  /** The similarity to the identity at the time of the decision, -1 to 1; null if no identity was compared. */
  readonly similarity: number | null;
  readonly reviewStatus: ReviewStatus;
  /** Whether the service or a person decided identity and status. The service never changes a person's decision. */
  readonly decidedBy: 'automatic' | 'human';
  readonly isManual: boolean;
  /** Null for objects, and for faces without an embedding. */
  readonly embeddingSource: EmbeddingSource | null;
  readonly age: number | null;
  readonly gender: 'M' | 'F' | null;
  readonly pose: HeadPose | null;
  /** The angle by which a face is turned in the image; 0 for objects. */
  readonly turned: QuarterTurn;
  readonly cropKey: string;
  /** The time when a person took the detection out of the review queue; null if no person has. */
  readonly dismissedAt: Date | null;
  readonly mismatchReviewed: boolean;
  readonly detectedAt: Date;
}

/** The history that an imported detection had in the other installation. */
export type DetectionHistory = Pick<Detection, 'detectedAt' | 'dismissedAt' | 'mismatchReviewed'>;

export interface NewDetection extends Omit<
  Detection,
  'id' | 'sourceImageId' | 'label' | keyof DetectionHistory
> {
  readonly cropBytes: number;
  /** The history of an imported detection; absent for a new detection. */
  readonly history?: DetectionHistory;
  /** The embedding of a face and its model; null without one. */
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

/** The fact that a face is not this identity. The identity is never assigned to the face or suggested for it again. */
export interface Rejection {
  readonly detectionId: number;
  readonly identityId: number;
  /** Whether the last rejection of the face was from this identity. */
  readonly isLatest: boolean;
}

/** A rejection that another installation recorded. */
export interface ImportedRejection extends Rejection {
  readonly rejectedAt: Date;
}
