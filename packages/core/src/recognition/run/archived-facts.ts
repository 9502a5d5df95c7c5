import type { Detection, DetectionHistory } from '../../detections/detection.ts';
import type { NewIdentity } from '../../identities/identity.ts';

/** What an archive says of a detection, besides what a detector finds. */
export interface ArchivedFacts
  extends
    DetectionHistory,
    Pick<Detection, 'similarity' | 'reviewStatus' | 'decidedBy' | 'isManual' | 'embeddingSource'> {
  readonly identity: NewIdentity | null;
  /** Of its identity. */
  readonly isCover: boolean;
  /** At most one of each model; none of an object. */
  readonly vectors: readonly ArchivedVector[];
  /** The oldest rejection first; none of an object. */
  readonly rejectedFrom: readonly ArchivedRejection[];
}

export interface ArchivedVector {
  readonly modelId: number;
  /** L2-normalized. */
  readonly vector: Float32Array;
  /** Since when it is a reference of the identity; null: it is none. */
  readonly enrolledAt: Date | null;
}

export interface ArchivedRejection {
  readonly identity: NewIdentity;
  /** Whether a restore brings it back. */
  readonly isLatest: boolean;
  readonly rejectedAt: Date;
}

/**
 * Whether a person had a say in what a detection is: decided about it, or took it out of the review
 * queue as it was.
 */
export function isPersonal(detection: Pick<Detection, 'decidedBy' | 'dismissedAt'>): boolean {
  return detection.decidedBy === 'human' || detection.dismissedAt !== null;
}
