import type { SourceImage } from '../sources/source-image.ts';
import type { Detection, DetectionDecision, ImportedRejection, NewDetection } from './detection.ts';

/**
 * Reads detections. It does not find those of an identity that is being deleted, except where a
 * method says so; those of an identity that is being merged appear as the target's.
 */
export interface DetectionReader {
  byId(id: number): Promise<Detection | null>;
  /** The detections with these ids that exist, ascending by id. */
  byIds(ids: readonly number[]): Promise<readonly Detection[]>;
  /** All detections of an image, ascending by id. */
  ofSource(sourceImageId: number): Promise<readonly Detection[]>;
  /**
   * The oldest detections of an identity, by the time of their detection, then by id; also of one that
   * is being deleted, but without those of identities that merge into it.
   */
  ofIdentity(identityId: number, limit: number): Promise<readonly Detection[]>;
}

export interface DetectionWriter {
  /**
   * Stores detections with their embeddings; answers their ids in the same order. Needs the lock of
   * the source and, shared, those of the identities.
   */
  insert(source: SourceImage, detections: readonly NewDetection[]): Promise<readonly number[]>;

  /** The detections of an image whose identities are being deleted. */
  deletingOfSource(sourceImageId: number): Promise<readonly Detection[]>;

  /**
   * Stores a decision and, unless it says otherwise, clears `dismissedAt`. With another identity,
   * `mismatchReviewed` falls back to false. Needs the locks of the detection and of the identities that it
   * leaves (exclusive), keeps and joins (shared).
   */
  decide(
    detection: Pick<Detection, 'id' | 'identityId'>,
    decision: DetectionDecision,
  ): Promise<void>;

  /** Stores embeddings of faces that have none of this model yet; others stay as they are. */
  addEmbeddings(modelId: number, embeddings: readonly FaceEmbedding[]): Promise<void>;

  /**
   * Removes detections with their vectors, suggestions and rejected pairs; their references must
   * have been revoked. Needs their locks and those of their sources. The files are removed after the
   * commit.
   */
  delete(detections: readonly Detection[]): Promise<void>;

  /** Takes detections out of the review queue, as of now or the given time. Needs their locks. */
  dismiss(ids: readonly number[], at?: Date): Promise<void>;

  /** Takes detections out of the list of mismatches. Needs their locks. */
  dismissMismatches(ids: readonly number[]): Promise<void>;

  /**
   * Remembers a rejection as the latest of its detection; null: one without an identity. Needs the lock
   * of the detection.
   */
  reject(pair: { readonly detectionId: number; readonly identityId: number | null }): Promise<void>;

  /**
   * Adds rejections in this order, and keeps existing ones. If an added one is the latest of its
   * detection, no existing one is any more. Needs the locks of the detections and, shared, of the
   * identities.
   */
  importRejections(rejections: readonly ImportedRejection[]): Promise<void>;

  /**
   * Forgets that the detection was rejected from the identity. Needs the locks of the detection and,
   * shared, of the identity.
   */
  forgetRejection(pair: {
    readonly detectionId: number;
    readonly identityId: number;
  }): Promise<void>;

  /**
   * Copies the rejections of removed detections to those that replace them. Needs the locks of the
   * detections and, shared, of the identities. It does not know the identities, so it cannot
   * require their locks itself.
   */
  inheritRejections(
    replacements: readonly { readonly from: number; readonly to: number }[],
  ): Promise<void>;
}

export interface FaceEmbedding {
  readonly detectionId: number;
  readonly vector: Float32Array;
}
