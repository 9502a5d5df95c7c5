import type { Detection } from '../detections/detection.ts';
import type { ActiveModel } from '../models/model.ts';
import type { SourceImage } from '../sources/source-image.ts';

/** An image with all its rows, read in one transaction. */
export interface LibraryImage {
  readonly source: SourceImage;
  /** The size of the stored JPEG. */
  readonly mediaBytes: number;
  /** The detections of both types, ascending by id. */
  readonly detections: readonly LibraryDetection[];
}

/**
 * The values from other tables that belong to a detection. An identity is named by id in the database, and by type and
 * label in an archive.
 */
export interface DetectionBelongings<Identity> {
  readonly isCover: boolean;
  /** At most one vector per model, ascending by the ids of the models. Empty for an object. */
  readonly vectors: readonly LibraryVector[];
  /** The rejections, oldest first. Empty for an object. */
  readonly rejections: readonly LibraryRejection<Identity>[];
}

export interface LibraryDetection extends Detection, DetectionBelongings<number> {
  readonly cropBytes: number;
}

export interface LibraryVector {
  readonly modelId: number;
  /** The L2-normalized embedding. */
  readonly vector: Float32Array;
  /** The time when the vector became a reference of the detection's identity; null if it is no reference. */
  readonly enrolledAt: Date | null;
}

/** The rejection of a face from an identity. */
export interface LibraryRejection<Identity> {
  readonly identity: Identity;
  /** Whether restoring the face assigns this identity again. */
  readonly isLatest: boolean;
  readonly rejectedAt: Date;
}

export interface LibraryModel extends Pick<ActiveModel, 'name' | 'revision'> {
  readonly id: number;
  readonly embeddingDim: number;
}
