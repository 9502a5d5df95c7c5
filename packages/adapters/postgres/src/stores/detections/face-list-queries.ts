import { isDeleted, rowIdsOf } from '../identities/seen-identity.ts';

const LISTED = `
  d.id, d.source_image_id AS "sourceImageId", d.bbox_x AS "bboxX", d.bbox_y AS "bboxY",
  d.bbox_w AS "bboxW", d.bbox_h AS "bboxH", d.confidence, d.crop_key AS "cropKey",
  d.detected_at AS "detectedAt", d.review_status AS "reviewStatus"`;

/** Whether a face `d` waits for review. The text must equal the predicate of the partial index. */
const AWAITS_REVIEW = `d.type = 'face' AND d.review_status = 'pending' AND d.dismissed_at IS NULL`;

/**
 * The correlated subqueries of this file have no condition on the environment, because row-level security adds one. A
 * comparison with the environment column of the outer query would make the planner estimate for the average
 * environment.
 */

/**
 * The identity that readers see for a row's identity id. There is no row if the identity is being deleted. OFFSET 0
 * makes the planner look up each row by its key, instead of first joining all identities.
 */
function identityOf(rowId: string): string {
  return `LATERAL (SELECT id, label FROM assigned_identities WHERE row_id = ${rowId} OFFSET 0)`;
}

/** Joins a detection `d` with its image `i` and, if it has one, its identity `a`. */
const WITH_CONTEXT = `
  JOIN source_images i ON i.environment_id = d.environment_id AND i.id = d.source_image_id
  LEFT JOIN ${identityOf('d.identity_id')} AS a ON true`;

const QUEUED = `${LISTED}, i.media_key AS "sourceMediaKey", a.id AS "identityId", a.label`;

/** Parameters: confidence and id of the last face of the previous page, limit. */
export const REVIEW_QUEUE = `
  SELECT ${QUEUED}
  FROM detections d ${WITH_CONTEXT}
  WHERE ${AWAITS_REVIEW} AND (d.identity_id IS NULL OR a.id IS NOT NULL)
    AND (d.confidence, d.id) < ($1, $2)
  ORDER BY d.confidence DESC, d.id DESC LIMIT $3`;

/** Whether the face of a row was rejected from an identity, or from another identity that is being merged into it. */
function rejectedFrom(identityId: string, row: string): string {
  return `EXISTS (
    SELECT FROM rejected_pairs p CROSS JOIN ${identityOf('p.identity_id')} AS other
    WHERE p.detection_id = ${row}.detection_id AND other.id = ${identityId})`;
}

/**
 * Whether a row `f` of suggested_faces has a visible suggestion. A scalar subquery makes Postgres look up the
 * suggestions face by face in an index.
 *
 * @param rule the placeholders of the model and of the least similarity
 */
function hasSuggestion([modelId, leastSimilarity]: readonly [string, string]): string {
  return `coalesce((
    SELECT true FROM suggestions s CROSS JOIN ${identityOf('s.identity_id')} AS known
    WHERE s.detection_id = f.detection_id AND s.model_id = ${modelId}
      AND s.similarity >= ${leastSimilarity}
      AND NOT ${rejectedFrom('known.id', 's')}
    LIMIT 1), false)`;
}

/** Parameters: confidence and id of the last face of the previous page, limit, model, least similarity. */
export const SUGGESTED_QUEUE = `
  SELECT ${QUEUED}
  FROM suggested_faces f
  JOIN detections d ON d.environment_id = f.environment_id AND d.id = f.detection_id ${WITH_CONTEXT}
  WHERE f.model_id = $4 AND f.similarity >= $5 AND (f.confidence, f.detection_id) < ($1, $2)
    AND (d.identity_id IS NULL OR a.id IS NOT NULL) AND ${hasSuggestion(['$4', '$5'])}
  ORDER BY f.confidence DESC, f.detection_id DESC LIMIT $3`;

/**
 * Parameters: faces, model, least similarity. Suggestions for identities that are being merged into one are combined,
 * with the highest similarity.
 */
export const SUGGESTIONS = `
  SELECT s.detection_id AS "detectionId", known.id AS "identityId", known.label,
         max(s.similarity) AS similarity
  FROM suggestions s CROSS JOIN ${identityOf('s.identity_id')} AS known
  WHERE s.detection_id = any($1::bigint[]) AND s.model_id = $2 AND s.similarity >= $3
    AND NOT ${rejectedFrom('known.id', 's')}
  GROUP BY s.detection_id, known.id, known.label
  ORDER BY max(s.similarity) DESC, known.id`;

/**
 * Parameters: model, least similarity. The table suggested_faces is exact unless identities are being deleted or
 * merged. Faces that refer to such an identity are checked again, and subtracted if no visible suggestion remains.
 */
export const COUNT_SUGGESTED = `
  WITH deleting AS (
    SELECT environment_id, id, merged_into FROM identities WHERE deleting_since IS NOT NULL
  ), doubtful AS (
    SELECT s.environment_id, s.detection_id
    FROM deleting l
    JOIN suggestions s ON s.environment_id = l.environment_id AND s.identity_id = l.id
    UNION
    SELECT p.environment_id, p.detection_id
    FROM deleting l
    JOIN rejected_pairs p ON p.environment_id = l.environment_id AND p.identity_id = l.id
    UNION
    SELECT d.environment_id, d.id
    FROM deleting l
    JOIN detections d ON d.environment_id = l.environment_id AND d.identity_id = l.id
    WHERE l.merged_into IS NULL AND ${AWAITS_REVIEW}
  )
  SELECT (
    SELECT count(*) FROM suggested_faces WHERE model_id = $1 AND similarity >= $2
  ) - (
    SELECT count(*)
    FROM doubtful
    JOIN suggested_faces f USING (environment_id, detection_id)
    JOIN detections d ON d.environment_id = f.environment_id AND d.id = f.detection_id
    LEFT JOIN ${identityOf('d.identity_id')} AS a ON true
    WHERE f.model_id = $1 AND f.similarity >= $2 AND NOT (
      (d.identity_id IS NULL OR a.id IS NOT NULL) AND ${hasSuggestion(['$1', '$2'])})
  ) AS count`;

const ROW_IDS = rowIdsOf('$1');

/**
 * Parameters: identity, time and id of the last detection of the previous page, limit. The query reads the detections
 * of the identity, and of each identity that is being merged into it, in index order.
 */
export function galleryQuery(order: 'newest' | 'oldest'): string {
  const [direction, comes] = order === 'newest' ? ['DESC', '<'] : ['ASC', '>'];
  return `
    SELECT ${LISTED}, i.external_ref AS "sourceExternalRef"
    FROM ${ROW_IDS} AS own
    CROSS JOIN LATERAL (
      SELECT * FROM detections d
      WHERE d.identity_id = own.id AND (d.detected_at, d.id) ${comes} ($2::timestamptz, $3)
      ORDER BY d.detected_at ${direction}, d.id ${direction} LIMIT $4
    ) AS d
    JOIN source_images i ON i.environment_id = d.environment_id AND i.id = d.source_image_id
    ORDER BY d.detected_at ${direction}, d.id ${direction} LIMIT $4`;
}

/**
 * Parameters: identity, time and id of the last face of the previous page, limit. The query reads the rejections from the
 * identity, and from each identity that is being merged into it, in index order. OFFSET 0 makes the planner look up each
 * face by its key.
 */
export const REJECTED_FACES = `
  SELECT ${LISTED}, i.external_ref AS "sourceExternalRef"
  FROM (
    SELECT DISTINCT pair.detected_at, pair.detection_id
    FROM ${ROW_IDS} AS own
    CROSS JOIN LATERAL (
      SELECT p.detected_at, p.detection_id
      FROM rejected_pairs p CROSS JOIN LATERAL (
        SELECT FROM detections
        WHERE id = p.detection_id AND review_status = 'rejected' OFFSET 0) AS face
      WHERE p.identity_id = own.id AND (p.detected_at, p.detection_id) < ($2::timestamptz, $3)
      ORDER BY p.detected_at DESC, p.detection_id DESC LIMIT $4
    ) AS pair
    ORDER BY pair.detected_at DESC, pair.detection_id DESC LIMIT $4
  ) AS pair
  JOIN detections d ON d.id = pair.detection_id
  JOIN source_images i ON i.environment_id = d.environment_id AND i.id = d.source_image_id
  ORDER BY d.detected_at DESC, d.id DESC`;

/**
 * Parameters: model, threshold, similarity and id of the last face of the previous page, limit. A trigger deletes the score
 * of a face that is moved or not confirmed any more, or whose mismatch was dismissed.
 */
export const MISMATCHES = `
  SELECT ${LISTED}, a.id AS "identityId", a.label, s.similarity
  FROM mismatch_scores s
  JOIN detections d ON d.environment_id = s.environment_id AND d.id = s.detection_id
  CROSS JOIN ${identityOf('d.identity_id')} AS a
  WHERE s.model_id = $1 AND s.similarity < $2 AND (s.similarity, s.detection_id) > ($3, $4)
  ORDER BY s.similarity, s.detection_id LIMIT $5`;

/** Parameters: model, threshold. Faces of an identity that is being deleted have their rows until its last step. */
export const COUNT_MISMATCHES = `
  SELECT (
    SELECT count(*) FROM mismatch_scores WHERE model_id = $1 AND similarity < $2
  ) - (
    SELECT count(*)
    FROM identities i
    JOIN mismatch_scores s ON s.environment_id = i.environment_id AND s.identity_id = i.id
    WHERE ${isDeleted('i')} AND s.model_id = $1 AND s.similarity < $2
  ) AS count`;
