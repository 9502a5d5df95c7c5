import { whole } from '../database/whole-number.ts';
import { isDeleted, rowIdsOf, seenId, stays } from '../identities/seen-identity.ts';

/** The reader's registration, of which each change has the id. */
export const READER = `(SELECT id FROM index_readers WHERE name = 'similarity')`;

/** Whether a detection `d` is open: it is a face, neither confirmed nor dismissed. */
const IS_OPEN = `d.type = 'face' AND d.review_status <> 'confirmed' AND d.dismissed_at IS NULL`;
/** An open face without an identity is a stranger. An identity that is being deleted takes its faces with it. */
export const IS_STRANGER = `${IS_OPEN} AND d.identity_id IS NULL`;

/** Parameters: model, faces. LIMIT makes the planner look up each face by its key. */
export const FACES = `
  SELECT d.id, d.confidence, ${IS_OPEN} AS "isOpen", ${IS_STRANGER} AS "isStranger",
         crc32c(v.vector) AS fingerprint, v.vector
  FROM unnest($2::bigint[]) AS face (id)
  CROSS JOIN LATERAL (SELECT * FROM detections WHERE id = face.id LIMIT 1) AS d
  CROSS JOIN LATERAL (
    SELECT vector FROM face_vectors WHERE detection_id = face.id AND model_id = $1 LIMIT 1) AS v`;

/** A page of the open faces of a space, which are read by COPY. */
export function openFacesQuery({
  environmentId,
  modelId,
  after,
  limit,
}: {
  readonly environmentId: number;
  readonly modelId: number;
  readonly after: number;
  readonly limit: number;
}): string {
  return `
    SELECT d.id, d.confidence, d.identity_id, crc32c(v.vector), v.vector
    FROM face_vectors v
    JOIN detections d ON d.environment_id = v.environment_id AND d.id = v.detection_id
    WHERE v.environment_id = ${whole(environmentId)} AND v.model_id = ${whole(modelId)}
      AND v.detection_id > ${whole(after)} AND ${IS_OPEN}
    ORDER BY v.detection_id LIMIT ${whole(limit)}`;
}

/** The time before the first change of a space that was never followed. Parameter: model. */
export const FIRST_CHANGE = `coalesce(
  (SELECT min(noted_at) FROM vector_changes WHERE reader_id = ${READER} AND model_id = $1), now())`;

/**
 * Parameters: model, seconds since the last change of a mean. Changes of means that rest are younger than that. Only some
 * are looked at: with more pending ones, the space is not up to date, or as many rest.
 */
export const STATE = `
  SELECT s.turn, s.scanned_to AS "scannedTo", coalesce(s.is_settled, true) AS "isSettled",
    CASE WHEN s.turn IS NULL THEN ${FIRST_CHANGE} ELSE coalesce(s.current_at, now()) END AS "currentAt",
    CASE WHEN rest.some THEN now() - make_interval(secs => $2) ELSE now() END AS "upTo"
  FROM (
    SELECT count(*) = 100 OR coalesce(max(noted_at) > now() - make_interval(secs => $2), false) AS some
    FROM (
      SELECT noted_at FROM vector_changes
      WHERE reader_id = ${READER} AND model_id = $1 AND kind = 'means' ORDER BY entity_id LIMIT 100
    ) AS means
  ) AS rest LEFT JOIN followed_spaces s ON s.model_id = $1`;

/** Parameters: model, limit, seconds since the last change of a mean. */
export const PENDING = `
  SELECT c.* FROM (VALUES ('faces'), ('references'), ('means'), ('losses')) AS k (kind)
  CROSS JOIN LATERAL (
    SELECT c.kind, c.id, c.entity_id AS "entityId" FROM vector_changes c
    WHERE c.reader_id = ${READER} AND c.model_id = $1 AND c.kind = k.kind
      AND (k.kind <> 'means' OR c.noted_at <= now() - make_interval(secs => $3))
    ORDER BY c.entity_id LIMIT $2) AS c`;

/** Parameters: model, identity, after, limit. */
export const LISTING = `
  SELECT DISTINCT s.detection_id AS id
  FROM ${rowIdsOf('$2')} AS own
  CROSS JOIN LATERAL (
    SELECT detection_id FROM suggestions
    WHERE identity_id = own.id AND model_id = $1 AND detection_id > $3
    ORDER BY detection_id LIMIT $4) AS s
  ORDER BY 1 LIMIT $4`;

/**
 * Parameters: identity, after, limit. LATERAL with LIMIT makes the planner begin with the identity. Statistics from before
 * the first people of an environment tell of no face that has an identity; with them it began with all such faces.
 */
export const CONFIRMED = `
  SELECT d.id
  FROM ${rowIdsOf('$1')} AS own
  CROSS JOIN LATERAL (
    SELECT id FROM detections
    WHERE identity_id = own.id AND review_status = 'confirmed' AND NOT mismatch_reviewed AND id > $2
    ORDER BY id LIMIT $3) AS d
  ORDER BY 1 LIMIT $3`;

/** Parameters: model, faces. Without another reference, a face has no row. */
export const COMPARABLE = `
  SELECT d.id, known.id AS "identityId", r.id IS NOT NULL AS "isReference",
         m.reference_count AS count, v.vector,
         CASE WHEN row_number() OVER (PARTITION BY known.id ORDER BY d.id) = 1 THEN m.sum END AS sum
  FROM unnest($2::bigint[]) AS face (id)
  CROSS JOIN LATERAL (
    SELECT id, identity_id FROM detections
    WHERE id = face.id AND review_status = 'confirmed' AND NOT mismatch_reviewed LIMIT 1) AS d
  CROSS JOIN LATERAL (
    SELECT ${seenId('i')} AS id FROM identities i WHERE i.id = d.identity_id AND ${stays('i')} LIMIT 1
  ) AS known
  LEFT JOIN LATERAL (
    SELECT id FROM face_references WHERE detection_id = d.id AND model_id = $1 LIMIT 1) AS r ON true
  CROSS JOIN LATERAL (
    SELECT reference_count, sum FROM identity_means
    WHERE identity_id = known.id AND model_id = $1 AND reference_count > (r.id IS NOT NULL)::int LIMIT 1
  ) AS m
  CROSS JOIN LATERAL (
    SELECT vector FROM face_vectors WHERE detection_id = d.id AND model_id = $1 LIMIT 1) AS v
  ORDER BY d.id`;

/** Parameters: model, faces. The list of a stranger that was deleted is deleted with it. */
export const STORED = `
  SELECT face.id,
    EXISTS (SELECT FROM face_neighbors WHERE detection_id = face.id AND model_id = $1)
      OR EXISTS (SELECT FROM departed_strangers WHERE detection_id = face.id) AS neighbors,
    EXISTS (SELECT FROM suggestions WHERE detection_id = face.id AND model_id = $1) AS suggested,
    EXISTS (SELECT FROM departed_strangers WHERE detection_id = face.id)
      AND NOT EXISTS (SELECT FROM detections WHERE id = face.id) AS deleted,
    score.identity_id AS "identityId", score.similarity
  FROM unnest($2::bigint[]) AS face (id)
  LEFT JOIN LATERAL (
    SELECT identity_id, similarity FROM mismatch_scores
    WHERE detection_id = face.id AND model_id = $1 LIMIT 1) AS score ON true`;

/** Parameters: environment, model, faces, identities, similarities. */
export const SET_SCORES = `
  INSERT INTO mismatch_scores AS m (environment_id, model_id, detection_id, identity_id, similarity)
  SELECT $1, $2, s.id, s.identity_id, s.similarity
  FROM unnest($3::bigint[], $4::bigint[], $5::float8[]) AS s (id, identity_id, similarity)
  JOIN detections d ON d.id = s.id
  JOIN identities i ON i.id = d.identity_id
  WHERE d.review_status = 'confirmed' AND NOT d.mismatch_reviewed AND ${seenId('i')} = s.identity_id
    AND NOT ${isDeleted('i')}
  ON CONFLICT (environment_id, detection_id, model_id)
  DO UPDATE SET identity_id = excluded.identity_id, similarity = excluded.similarity
  WHERE (m.identity_id, m.similarity) IS DISTINCT FROM (excluded.identity_id, excluded.similarity)`;
