import { rowIdsOf } from '../identities/seen-identity.ts';

export const LISTED = `
  d.id, d.source_image_id AS "sourceImageId", d.bbox_x AS "bboxX", d.bbox_y AS "bboxY",
  d.bbox_w AS "bboxW", d.bbox_h AS "bboxH", d.confidence, d.crop_key AS "cropKey",
  d.detected_at AS "detectedAt", d.review_status AS "reviewStatus"`;

/** Whether a face `d` waits for review. The text must equal the predicate of the partial index. */
export const AWAITS_REVIEW = `d.type = 'face' AND d.review_status = 'pending' AND d.dismissed_at IS NULL`;

/**
 * The correlated subqueries of this file have no condition on the environment, because row-level security adds one. A
 * comparison with the environment column of the outer query would make the planner estimate for the average
 * environment.
 */

/**
 * The identity that readers see for a row's identity id. There is no row if the identity is being deleted. OFFSET 0
 * makes the planner look up each row by its key, instead of first joining all identities.
 */
export function identityOf(rowId: string): string {
  return `LATERAL (SELECT id, label FROM assigned_identities WHERE row_id = ${rowId} OFFSET 0)`;
}

/** Joins a detection `d` with its image `i` and, if it has one, its identity `a`. */
const WITH_CONTEXT = `
  JOIN source_images i ON i.environment_id = d.environment_id AND i.id = d.source_image_id
  LEFT JOIN ${identityOf('d.identity_id')} AS a ON true`;

const QUEUED = `${LISTED}, i.media_key AS "sourceMediaKey", a.id AS "identityId", a.label`;

/** Parameters: the ids of faces. */
export const QUEUED_FACES = `
  SELECT ${QUEUED}
  FROM unnest($1::bigint[]) WITH ORDINALITY AS listed (id, place)
  JOIN detections d ON d.id = listed.id ${WITH_CONTEXT}
  ORDER BY listed.place`;

/** Whether the face of a row was rejected from an identity, or from another identity that is being merged into it. */
export function rejectedFrom(identityId: string, row: string): string {
  return `EXISTS (
    SELECT FROM rejected_pairs p CROSS JOIN ${identityOf('p.identity_id')} AS other
    WHERE p.detection_id = ${row}.detection_id AND other.id = ${identityId})`;
}

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
