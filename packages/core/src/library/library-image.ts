import type { Detection } from '../detections/detection.ts';
import type { ActiveModel } from '../models/model.ts';
import type { SourceImage } from '../sources/source-image.ts';

/** An image with all that belongs to it, read in one transaction. */
export interface LibraryImage {
  readonly source: SourceImage;
  /** Bytes of the stored JPEG. */
  readonly mediaBytes: number;
  /** The detections of both types, ascending by id. */
  readonly detections: readonly LibraryDetection[];
}

/**
 * The rows that belong to a detection besides its own. They name identities by id, and in an
 * archive by type and label.
 */
export interface DetectionBelongings<Identity> {
  /** Whether it is the cover of its identity. */
  readonly isCover: boolean;
  /** At most one vector per model, ascending by the models' ids; none for an object. */
  readonly vectors: readonly LibraryVector[];
  /** The oldest first; none for an object. */
  readonly rejections: readonly LibraryRejection<Identity>[];
}

export interface LibraryDetection extends Detection, DetectionBelongings<number> {
  /** Bytes of the crop. */
  readonly cropBytes: number;
}

export interface LibraryVector {
  readonly modelId: number;
  /** L2-normalized. */
  readonly vector: Float32Array;
  /** When the face was enrolled under the identity of its detection; null if it is not. */
  readonly enrolledAt: Date | null;
}

/** An identity that a face was rejected from. */
export interface LibraryRejection<Identity> {
  readonly identity: Identity;
  /** Whether a restore of the face assigns this identity again. */
  readonly isLatest: boolean;
  readonly rejectedAt: Date;
}

/** A model that has made vectors. */
export interface LibraryModel extends Pick<ActiveModel, 'name' | 'revision'> {
  readonly id: number;
  /** The number of floats of a vector. */
  readonly embeddingDim: number;
}
