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
 * The rows that belong to a detection besides its own. Identities are ids; in an archive they are
 * names.
 */
export interface DetectionBelongings<Identity> {
  /** Whether it is the cover of its identity. */
  readonly isCover: boolean;
  /** At most one of each model, ascending by their ids; none of an object. */
  readonly vectors: readonly LibraryVector[];
  /** The oldest first; none of an object. */
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
  /** When it was enrolled under the identity of its detection; null if it is not. */
  readonly enrolledAt: Date | null;
}

/** An identity that a face was rejected from. */
export interface LibraryRejection<Identity> {
  readonly identity: Identity;
  /** Whether it is the one that a restore brings back. */
  readonly isLatest: boolean;
  readonly rejectedAt: Date;
}

/** A model that has made vectors. */
export interface LibraryModel extends Pick<ActiveModel, 'name' | 'revision'> {
  readonly id: number;
  /** Floats of a vector. */
  readonly embeddingDim: number;
}
