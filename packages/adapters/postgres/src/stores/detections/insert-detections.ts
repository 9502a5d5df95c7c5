import type { NewDetection } from '@sightline/core/detections/detection';

/**
 * A row of `detections` as JSON, by column name. The statement below supplies the columns that are missing here, such
 * as the environment.
 */
type InsertedRow = Readonly<Record<string, unknown>>;

/** The columns of {@link toInsertedRow}, which every new detection sets. */
const COLUMNS = [
  'type',
  'bbox_x',
  'bbox_y',
  'bbox_w',
  'bbox_h',
  'confidence',
  'quality',
  'landmarks',
  'class_id',
  'class_name',
  'identity_id',
  'similarity',
  'review_status',
  'decided_by',
  'is_manual',
  'embedding_source',
  'age',
  'gender',
  'pose',
  'turned',
  'crop_key',
  'crop_bytes',
  'dismissed_at',
] as const;

/**
 * Inserts the detections of an image and returns their ids. Parameters: environment, image, rows as JSON. The text is
 * the same for any number of rows, so the server can keep the plan.
 */
export const INSERT_DETECTIONS = `
  INSERT INTO detections (
    environment_id, source_image_id, ${COLUMNS.join(', ')}, mismatch_reviewed, detected_at)
  SELECT $1, $2, ${COLUMNS.join(', ')}, coalesce(mismatch_reviewed, false),
    coalesce(detected_at, now())
  FROM json_populate_recordset(NULL::detections, $3::json)
  RETURNING id`;

export function toInsertedRow(detection: NewDetection): InsertedRow {
  const { bbox, landmarks, history } = detection;
  const columns: Readonly<Record<(typeof COLUMNS)[number], unknown>> = {
    type: detection.type,
    bbox_x: bbox.x,
    bbox_y: bbox.y,
    bbox_w: bbox.w,
    bbox_h: bbox.h,
    confidence: detection.confidence,
    quality: detection.quality,
    landmarks: landmarks?.flatMap(({ x, y }) => [x, y]),
    class_id: detection.classId,
    class_name: detection.className,
    identity_id: detection.identityId,
    similarity: detection.similarity,
    review_status: detection.reviewStatus,
    decided_by: detection.decidedBy,
    is_manual: detection.isManual,
    embedding_source: detection.embeddingSource,
    age: detection.age,
    gender: detection.gender,
    pose: detection.pose,
    turned: detection.turned,
    crop_key: detection.cropKey,
    crop_bytes: detection.cropBytes,
    dismissed_at: history?.dismissedAt,
  };
  return {
    ...columns,
    mismatch_reviewed: history?.mismatchReviewed,
    detected_at: history?.detectedAt,
  };
}
