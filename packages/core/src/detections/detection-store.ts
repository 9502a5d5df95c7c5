import type { DetectionType } from '../detection-type.ts';
import type { SourceImage } from '../sources/source-image.ts';
import type { Page } from '../store/page.ts';
import type {
  Detection,
  DetectionDecision,
  ImportedRejection,
  NewDetection,
  UnembeddableReason,
} from './detection.ts';
import type { DetectionFilter } from '../store/detection-filter.ts';

/** Selects a page of the detections of an image. */
export interface DetectionPage {
  /** Both types if absent. */
  readonly type?: DetectionType | undefined;
  /** The last id of the page before; null for the first page. */
  readonly after: number | null;
  readonly limit: number;
}

/**
 * Reads detections. Detections of an identity that is being deleted are not found, except where a method says so.
 * Detections of an identity that is being merged appear as the target's.
 */
export interface DetectionReader {
  byId(id: number): Promise<Detection | null>;
  /** Returns the existing detections with these ids, ascending by id. */
  byIds(ids: readonly number[]): Promise<readonly Detection[]>;
  /** Returns all detections of an image, ascending by id. */
  ofSource(sourceImageId: number): Promise<readonly Detection[]>;
  /** Returns a page of the detections of an image, ascending by id. */
  pageOfSource(sourceImageId: number, page: DetectionPage): Promise<Page<Detection>>;
  /**
   * Returns the oldest detections of an identity, by `detectedAt`, then by id. This also works for an identity that is
   * being deleted. Detections of identities that are being merged into this one are not included.
   */
  ofIdentity(identityId: number, limit: number): Promise<readonly Detection[]>;
  /** Returns the ids of the first detections of a filter with ids above `after`, ascending. */
  matching(
    filter: DetectionFilter,
    page: { readonly after: number; readonly limit: number },
  ): Promise<readonly number[]>;
  /** Returns those of the detections that a filter matches, ascending by id. */
  matchingOf(ids: readonly number[], filter: DetectionFilter): Promise<readonly Detection[]>;
  countMatching(filter: DetectionFilter): Promise<number>;
}

export interface DetectionWriter {
  /**
   * Stores detections with their embeddings. Returns their ids in the same order. Needs the lock of the source image, and
   * shared locks of the identities.
   */
  insert(source: SourceImage, detections: readonly NewDetection[]): Promise<readonly number[]>;

  /** Returns those detections of an image whose identities are being deleted. */
  deletingOfSource(sourceImageId: number): Promise<readonly Detection[]>;

  /**
   * Stores decisions about distinct detections. Clears `dismissedAt` unless `keepsDismissal` is true. If the identity
   * changes, sets `mismatchReviewed` to false. Needs the locks of the detections, exclusive locks of the previous
   * identities if they change, and shared locks of the kept or new identities.
   */
  decide(
    decided: readonly {
      readonly detection: Pick<Detection, 'id' | 'identityId'>;
      readonly decision: DetectionDecision;
    }[],
  ): Promise<void>;

  /**
   * Stores embeddings of faces, which then are no longer marked as unembeddable. If a face already has an embedding of
   * this model, that one is kept.
   *
   * @throws ForeignModelDeleted
   */
  addEmbeddings(modelId: number, embeddings: readonly FaceEmbedding[]): Promise<void>;

  /** Stores why the model cannot make embeddings of faces, so that no job tries. Needs the locks of the detections. */
  markUnembeddable(
    modelId: number,
    detectionIds: readonly number[],
    reason: UnembeddableReason,
  ): Promise<void>;

  /**
   * Removes detections with their vectors, suggestions, rejected pairs and renditions. Returns the media keys of the
   * renditions. The caller has revoked the references before, and deletes the files after the commit. Needs the locks of
   * the detections and of their source images.
   */
  delete(detections: readonly Detection[]): Promise<readonly string[]>;

  /** Takes detections out of the review queue. Needs the locks of the detections. @param at now if absent */
  dismiss(ids: readonly number[], at?: Date): Promise<void>;

  /** Takes detections out of the list of mismatches. Needs the locks of the detections. */
  dismissMismatches(ids: readonly number[]): Promise<void>;

  /**
   * Stores rejections of distinct detections, in this order, each as the latest of its detection. `identityId` is null if
   * the detection had no identity. Needs the locks of the detections.
   */
  reject(
    pairs: readonly { readonly detectionId: number; readonly identityId: number | null }[],
  ): Promise<void>;

  /**
   * Adds rejections in this order, and keeps existing ones. If an added rejection has `isLatest`, the existing rejections
   * of its detection lose that mark. Needs the locks of the detections, and shared locks of the identities.
   */
  importRejections(rejections: readonly ImportedRejection[]): Promise<void>;

  /**
   * Deletes the rejections of detections from identities. Needs the locks of the detections, and shared locks of the
   * identities.
   */
  forgetRejections(
    pairs: readonly { readonly detectionId: number; readonly identityId: number }[],
  ): Promise<void>;

  /**
   * Copies the rejections of removed detections to the detections that replace them. The caller must hold the locks of the
   * detections and shared locks of the identities. This method cannot check that, because it does not know the identities.
   */
  inheritRejections(
    replacements: readonly { readonly from: number; readonly to: number }[],
  ): Promise<void>;
}

export interface FaceEmbedding {
  readonly detectionId: number;
  readonly vector: Float32Array;
}
