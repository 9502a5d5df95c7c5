import type { Doors } from '../../doors/doors.ts';
import { JOB_QUERIES } from './consistency-of-jobs.ts';
import { seenId } from '../identities/seen-identity.ts';

/** The maximum number of rows that one query reports. They suffice to identify a problem. */
const LIMIT = 100;

const PENDING = `type = 'face' AND review_status = 'pending' AND dismissed_at IS NULL`;

/** Counts the rows of all tables in the format of the counters: counter, subject, model and amount. */
const EXPECTED_COUNTS = `
  SELECT environment_id, type || '_identities' AS counter, 0::bigint AS subject_id,
         0::bigint AS model_id, count(*) AS amount
  FROM identities WHERE deleting_since IS NULL GROUP BY environment_id, type
  UNION ALL
  SELECT environment_id, type || '_detections', 0, 0, count(*)
  FROM detections GROUP BY environment_id, type
  UNION ALL
  SELECT environment_id, 'pending_review', 0, 0, count(*)
  FROM detections WHERE ${PENDING} GROUP BY environment_id
  UNION ALL
  SELECT environment_id, 'strangers', 0, 0, count(*)
  FROM detections WHERE type = 'face' AND identity_id IS NULL AND dismissed_at IS NULL GROUP BY environment_id
  UNION ALL
  SELECT environment_id, 'source_images', 0, 0, count(*)
  FROM source_images GROUP BY environment_id
  UNION ALL
  SELECT environment_id, 'storage_bytes', 0, 0, sum(bytes)
  FROM (
    SELECT environment_id, crop_bytes::bigint AS bytes FROM detections
    UNION ALL SELECT environment_id, media_bytes FROM source_images
    UNION ALL SELECT environment_id, size_bytes FROM source_images WHERE original_key IS NOT NULL
    UNION ALL SELECT environment_id, bytes FROM set_aside_files
  ) AS files GROUP BY environment_id
  UNION ALL
  SELECT environment_id, 'set_aside_bytes', 0, 0, sum(bytes) FROM set_aside_files GROUP BY environment_id
  UNION ALL
  SELECT environment_id, 'rendition_bytes', 0, 0, sum(bytes) FROM (
    SELECT environment_id, bytes FROM detection_renditions
    UNION ALL SELECT environment_id, bytes FROM source_renditions
  ) AS renditions GROUP BY environment_id
  UNION ALL
  SELECT environment_id, 'identity.detections', identity_id, 0, count(*)
  FROM detections WHERE identity_id IS NOT NULL GROUP BY environment_id, identity_id
  UNION ALL
  SELECT environment_id, 'identity.pending_review', identity_id, 0, count(*)
  FROM detections WHERE identity_id IS NOT NULL AND ${PENDING}
  GROUP BY environment_id, identity_id
  UNION ALL
  SELECT d.environment_id, 'class.detections', c.id, 0, count(*)
  FROM detections d
  LEFT JOIN object_classes c ON c.environment_id = d.environment_id AND c.name = d.class_name
  WHERE d.class_name IS NOT NULL GROUP BY d.environment_id, c.id
  UNION ALL
  SELECT environment_id, 'identity.embeddings', identity_id, model_id, count(*)
  FROM face_references GROUP BY environment_id, identity_id, model_id`;

/** Each query returns the environment and one sentence for every row that contradicts another row. */
const QUERIES: readonly string[] = [
  `SELECT environment_id,
     format('Environment %s counts %s of %s (subject %s, model %s), there are %s.',
     environment_id, coalesce(kept.amount, 0), counter, subject_id, model_id,
     coalesce(expected.amount, 0))
   FROM (
     SELECT environment_id, counter, subject_id, model_id, sum(delta) AS amount
     -- The counts of days outlive their rows.
     FROM counter_deltas WHERE counter NOT LIKE 'day.%'
     GROUP BY environment_id, counter, subject_id, model_id
   ) AS kept
   FULL JOIN (${EXPECTED_COUNTS}) AS expected
     USING (environment_id, counter, subject_id, model_id)
   WHERE coalesce(kept.amount, 0) <> coalesce(expected.amount, 0)`,

  `SELECT environment_id,
     format('Identity %s has a mean of %s references of model %s, there are %s.',
     identity_id, coalesce(m.reference_count, 0), model_id, coalesce(r.amount, 0))
   FROM identity_means m
   FULL JOIN (
     SELECT r.environment_id, ${seenId('i')} AS identity_id, r.model_id,
            count(*) AS amount
     FROM face_references r
     JOIN identities i ON i.environment_id = r.environment_id AND i.id = r.identity_id
     GROUP BY 1, 2, 3
   ) AS r USING (environment_id, identity_id, model_id)
   WHERE coalesce(m.reference_count, 0) <> coalesce(r.amount, 0)`,

  `SELECT environment_id,
     format('Reference %s has no vector of detection %s and model %s.',
     r.id, r.detection_id, r.model_id)
   FROM face_references r
   LEFT JOIN face_vectors v USING (environment_id, detection_id, model_id)
   WHERE v.detection_id IS NULL`,

  `SELECT r.environment_id,
     format('Reference %s belongs to identity %s, but its detection %s to %s (%s).',
     r.id, r.identity_id, d.id, coalesce(d.identity_id::text, 'no identity'), d.review_status)
   FROM face_references r
   JOIN detections d ON d.environment_id = r.environment_id AND d.id = r.detection_id
   WHERE d.review_status <> 'confirmed' OR d.identity_id IS DISTINCT FROM r.identity_id
     -- A face of a merging identity gets references of the target before the face moves to the target.
     AND NOT EXISTS (
       SELECT FROM identities i WHERE i.environment_id = d.environment_id
         AND i.id = d.identity_id AND i.merged_into = r.identity_id)`,

  `SELECT i.environment_id,
     format('The cover of identity %s is detection %s, which belongs to %s.',
     i.id, i.cover_detection_id, coalesce(d.identity_id::text, 'no identity'))
   FROM identities i
   LEFT JOIN detections d ON d.environment_id = i.environment_id AND d.id = i.cover_detection_id
   WHERE i.cover_detection_id IS NOT NULL AND d.identity_id IS DISTINCT FROM i.id
     AND NOT EXISTS (
       SELECT FROM identities m WHERE m.environment_id = d.environment_id
         AND m.id = d.identity_id AND m.merged_into = i.id)`,

  `SELECT d.environment_id,
     format('Detection %s has type %s, but its identity %s has type %s.',
     d.id, d.type, i.id, i.type)
   FROM detections d
   JOIN identities i ON i.environment_id = d.environment_id AND i.id = d.identity_id
   WHERE i.type <> d.type`,

  `SELECT environment_id,
     format('Detection %s is confirmed without an identity.', id)
   FROM detections WHERE review_status = 'confirmed' AND identity_id IS NULL`,

  `SELECT d.environment_id,
     format('Detection %s belongs to identity %s, from which it was rejected.', d.id, d.identity_id)
   FROM detections d
   JOIN rejected_pairs p ON p.environment_id = d.environment_id AND p.detection_id = d.id
   WHERE p.identity_id = d.identity_id`,

  `SELECT d.environment_id,
     format('Detection %s is an object and has a vector.', d.id)
   FROM detections d
   JOIN face_vectors v ON v.environment_id = d.environment_id AND v.detection_id = d.id
   WHERE d.type = 'object'`,

  `SELECT v.environment_id,
     format('The vector of detection %s and model %s has %s bytes.',
     v.detection_id, v.model_id, octet_length(v.vector))
   FROM face_vectors v JOIN models m ON m.id = v.model_id
   WHERE octet_length(v.vector) IS DISTINCT FROM 4 * m.embedding_dim`,

  `SELECT environment_id,
     format('Source image %s has an empty side or an empty file.', id)
   FROM source_images
   WHERE least(size_bytes, media_bytes, width, height, stored_width, stored_height) <= 0`,

  `SELECT environment_id,
     format('The file %s of environment %s has the name of another environment.', key, environment_id)
   FROM (
     SELECT environment_id, media_key AS key FROM source_images
     UNION ALL SELECT environment_id, original_key FROM source_images
     UNION ALL SELECT environment_id, crop_key FROM detections
     UNION ALL SELECT environment_id, media_key FROM set_aside_files
     UNION ALL SELECT environment_id, upload_key FROM job_items
     UNION ALL SELECT environment_id, results_key FROM jobs
   ) AS files
   WHERE NOT starts_with(key, environment_id || '/')`,

  `SELECT environment_id,
     format('The deletion of identity %s has not ended since %s.', id, deleting_since)
   FROM identities WHERE deleting_since < now() - interval '1 hour'`,

  `SELECT i.environment_id,
     format('Identity %s merges into %s, which is being deleted or has another type.', i.id, t.id)
   FROM identities i
   JOIN identities t ON t.environment_id = i.environment_id AND t.id = i.merged_into
   WHERE t.deleting_since IS NOT NULL OR t.type <> i.type`,

  `SELECT b.environment_id,
     format('Matching in environment %s waits for job %s, which has ended.',
     b.environment_id, j.id)
   FROM embedding_backlogs b
   JOIN jobs j ON j.environment_id = b.environment_id AND j.id = b.job_id
   WHERE j.status IN ('done', 'failed')`,

  `SELECT environment_id,
     format(
     'Face %s is in the queue with similarity %s of identity %s, but suggestions of model %s give %s of %s.',
     detection_id, coalesce(f.similarity::text, 'none'), coalesce(f.identity_id::text, 'none'), model_id,
     coalesce(s.similarity::text, 'none'), coalesce(s.identity_id::text, 'none'))
   FROM suggested_faces f
   FULL JOIN (
     SELECT DISTINCT ON (environment_id, s.detection_id, s.model_id)
       environment_id, s.detection_id, s.model_id, s.similarity, s.identity_id, d.detected_at
     FROM suggestions s
     JOIN detections d USING (environment_id)
     WHERE d.id = s.detection_id AND ${PENDING} AND NOT EXISTS (
       SELECT FROM rejected_pairs p
       WHERE p.environment_id = s.environment_id AND p.detection_id = s.detection_id
         AND p.identity_id = s.identity_id)
     ORDER BY environment_id, s.detection_id, s.model_id, s.similarity DESC, s.identity_id
   ) AS s USING (environment_id, detection_id, model_id)
   WHERE (f.similarity, f.identity_id, f.detected_at)
     IS DISTINCT FROM (s.similarity, s.identity_id, s.detected_at)`,

  `SELECT environment_id,
     format('Source image %s counts %s faces, %s objects, %s tagged, %s drawn: there are %s, %s, %s, %s.',
     s.id, s.face_count, s.object_count, s.tagged_face_count, s.manual_count,
     coalesce(d.faces, 0), coalesce(d.objects, 0), coalesce(d.tagged, 0), coalesce(d.manual, 0))
   FROM source_images s
   LEFT JOIN (
     SELECT environment_id, source_image_id AS id,
       count(*) FILTER (WHERE type = 'face') AS faces,
       count(*) FILTER (WHERE type = 'object') AS objects,
       count(*) FILTER (WHERE type = 'face' AND identity_id IS NOT NULL) AS tagged,
       count(*) FILTER (WHERE is_manual) AS manual
     FROM detections GROUP BY environment_id, source_image_id
   ) AS d USING (environment_id, id)
   WHERE (s.face_count, s.object_count, s.tagged_face_count, s.manual_count) <>
     (coalesce(d.faces, 0), coalesce(d.objects, 0), coalesce(d.tagged, 0), coalesce(d.manual, 0))`,

  `SELECT environment_id,
     format('Source image %s %s an identity with several detections.',
     s.id, CASE WHEN s.has_repeats THEN 'is noted for' ELSE 'is not noted for' END)
   FROM source_images s
   LEFT JOIN (
     SELECT DISTINCT environment_id, source_image_id AS id FROM (
       SELECT environment_id, source_image_id FROM detections WHERE identity_id IS NOT NULL
       GROUP BY environment_id, source_image_id, identity_id HAVING count(*) > 1
     ) AS repeated
   ) AS r USING (environment_id, id)
   WHERE s.has_repeats <> (r.id IS NOT NULL)`,

  `SELECT i.environment_id,
     format('Identity %s is ordered by %s detections, %s pending and the time %s: it has %s, %s and %s.',
     i.id, s.detection_count, s.pending_count, s.last_seen_at,
     coalesce(d.detections, 0), coalesce(d.pending, 0), d.last_seen_at)
   FROM identities i
   LEFT JOIN identity_standings s ON s.environment_id = i.environment_id AND s.identity_id = i.id
   LEFT JOIN (
     SELECT environment_id, identity_id, count(*) AS detections, max(detected_at) AS last_seen_at,
       count(*) FILTER (WHERE ${PENDING}) AS pending
     FROM detections WHERE identity_id IS NOT NULL GROUP BY environment_id, identity_id
   ) AS d ON d.environment_id = i.environment_id AND d.identity_id = i.id
   WHERE (s.type, s.created_at, s.detection_count, s.pending_count, s.last_seen_at) IS DISTINCT FROM
       (i.type, i.created_at, coalesce(d.detections, 0), coalesce(d.pending, 0), coalesce(d.last_seen_at, '-infinity'))
     -- Identities with newer changes are computed by readers.
     AND NOT EXISTS (
       SELECT FROM counter_deltas c
       WHERE c.environment_id = i.environment_id AND c.subject_id = i.id AND NOT c.is_folded
         AND c.counter IN ('identity.detections', 'identity.pending_review'))`,

  ...JOB_QUERIES,
];

/** Leaves out environments that are being deleted, because a deletion takes many transactions. */
const inLivingEnvironments = (query: string): string => `
  SELECT found.format AS sentence FROM (${query}) AS found
  WHERE NOT EXISTS (
    SELECT FROM environments e WHERE e.id = found.environment_id AND e.deleting_since IS NOT NULL)
  LIMIT ${LIMIT}`;

/**
 * Finds rows that contradict each other. Returns one sentence for each. Each query reads whole tables in one snapshot,
 * so concurrent writes cause no findings.
 */
export async function inconsistentRows(
  doors: Doors,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const query of QUERIES) {
    const rows = await doors.surveyPlatform(
      'maintenance',
      (session) => session.query<{ sentence: string }>(inLivingEnvironments(query)),
      signal,
    );
    found.push(...rows.map(({ sentence }) => sentence));
  }
  return found;
}
