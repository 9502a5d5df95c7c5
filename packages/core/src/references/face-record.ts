import type { Detection, Rejection } from '../detections/detection.ts';
import type { SourceImage } from '../sources/source-image.ts';
import type { ReferenceLink } from './reference.ts';

/** The data of a detection that decisions about it depend on. */
export interface FaceRecord {
  readonly detection: DecidedDetection;
  readonly source: Pick<SourceImage, 'digest' | 'externalRef'>;
  /** The references of all models, ascending by id. */
  readonly references: readonly ReferenceLink[];
  /** The rejections, without those from identities that are being deleted. */
  readonly rejections: readonly Rejection[];
  /** Whether it has an embedding of the requested model. */
  readonly isEmbedded: boolean;
  /** Models of which it has embeddings, ascending. */
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
   * The detections with these ids that exist, ascending by id, in one statement. It does not
   * find detections of an identity that is being deleted.
   *
   * @param modelId null: none is embedded
   */
  byIds(ids: readonly number[], modelId: number | null): Promise<readonly FaceRecord[]>;
}
