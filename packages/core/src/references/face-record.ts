import type { Detection, Rejection } from '../detections/detection.ts';
import type { SourceImage } from '../sources/source-image.ts';
import type { ReferenceLink } from './reference.ts';

/** The data on which decisions about a detection depend. */
export interface FaceRecord {
  readonly detection: DecidedDetection;
  readonly source: Pick<SourceImage, 'digest' | 'externalRef'>;
  /** The references of all models, ascending by id. */
  readonly references: readonly ReferenceLink[];
  /** The rejections, without those from identities that are being deleted. */
  readonly rejections: readonly Rejection[];
  /** Whether the detection has an embedding of the requested model. */
  readonly isEmbedded: boolean;
  /** The ids of all models of which the detection has embeddings, ascending. */
  readonly embeddedFor: readonly number[];
}

/** The part of a detection that decisions depend on and change. */
export type DecidedDetection = Pick<
  Detection,
  | 'id'
  | 'type'
  | 'identityId'
  | 'similarity'
  | 'reviewStatus'
  | 'decidedBy'
  | 'dismissedAt'
  | 'mismatchReviewed'
>;

export interface FaceRecordReader {
  /**
   * Reads the existing detections with these ids, ascending by id, in one statement. Detections of an identity that is
   * being deleted are not found.
   *
   * @param modelId the model for `isEmbedded`, which is false for all detections if the model is null
   */
  byIds(ids: readonly number[], modelId: number | null): Promise<readonly FaceRecord[]>;
}
