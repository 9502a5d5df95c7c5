-- A connection plans the statement of a trigger once, for as many rows as its first change had, which is mostly one. The
-- plan was a nested loop, which compares each row with each other one: a change of 500 rows took seven times as long. A full
-- join cannot be planned as one, and each row has a partner, so the result is the same. OFFSET 0 keeps the conditions outside,
-- because those that no missing row fulfills would make it an inner join. Otherwise these functions are those of the
-- migrations operations, lists, similarity, foreign-models and of the baseline.

CREATE OR REPLACE FUNCTION refresh_review_queue() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  environments bigint[];
  faces bigint[];
BEGIN
  SELECT array_agg(environment_id), array_agg(id) INTO environments, faces
  FROM (
    SELECT environment_id, id, awaits_review(n.type, n.review_status, n.dismissed_at)
      <> awaits_review(o.type, o.review_status, o.dismissed_at) AS enters_or_leaves
    FROM new_rows n FULL JOIN old_rows o USING (environment_id, id) OFFSET 0
  ) AS c
  WHERE c.enters_or_leaves;
  IF faces IS NOT NULL THEN
    PERFORM refresh_suggested_faces(environments, faces);
  END IF;
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION note_repeats() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  environments bigint[];
  images bigint[];
BEGIN
  IF TG_OP = 'INSERT' THEN
    SELECT array_agg(environment_id), array_agg(source_image_id) INTO environments, images
    FROM new_rows WHERE identity_id IS NOT NULL;
  ELSIF TG_OP = 'DELETE' THEN
    -- An image without repeats cannot gain one.
    SELECT array_agg(o.environment_id), array_agg(o.source_image_id) INTO environments, images
    FROM old_rows o
    JOIN source_images s ON s.environment_id = o.environment_id AND s.id = o.source_image_id
    WHERE o.identity_id IS NOT NULL AND s.has_repeats;
  ELSE
    SELECT array_agg(c.environment_id), array_agg(image.id) INTO environments, images
    FROM (
      SELECT environment_id, n.source_image_id AS here, o.source_image_id AS there,
        n.identity_id IS DISTINCT FROM o.identity_id OR n.source_image_id <> o.source_image_id AS is_moved
      FROM new_rows n FULL JOIN old_rows o USING (environment_id, id) OFFSET 0
    ) AS c
    CROSS JOIN LATERAL (SELECT c.here UNION SELECT c.there) AS image (id)
    WHERE c.is_moved;
  END IF;
  IF images IS NOT NULL THEN
    PERFORM refresh_repeats(environments, images);
  END IF;
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION note_exchanges() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO counter_deltas (environment_id, counter, subject_id, model_id, delta)
  SELECT moved.environment_id, 'identity.detections', side.identity_id, 0, 0
  FROM (
    SELECT environment_id, n.identity_id AS gaining, o.identity_id AS losing
    FROM new_rows n FULL JOIN old_rows o USING (environment_id, id) OFFSET 0
  ) AS moved
  CROSS JOIN LATERAL (VALUES (gaining, 1), (losing, -1)) AS side (identity_id, amount)
  WHERE moved.gaining IS DISTINCT FROM moved.losing AND side.identity_id IS NOT NULL
  GROUP BY moved.environment_id, side.identity_id HAVING sum(side.amount) = 0;
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION record_detections() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO vector_changes (environment_id, reader_id, model_id, kind, entity_id)
  SELECT c.environment_id, r.id, v.model_id, 'faces', v.detection_id
  FROM (
    SELECT environment_id, id, n.identity_id IS DISTINCT FROM o.identity_id AS is_moved,
      n.review_status <> o.review_status OR n.mismatch_reviewed <> o.mismatch_reviewed
        OR (n.dismissed_at IS NULL) <> (o.dismissed_at IS NULL) AS is_decided
    FROM new_rows n FULL JOIN old_rows o USING (environment_id, id) OFFSET 0
  ) AS c
  JOIN face_vectors v ON v.environment_id = c.environment_id AND v.detection_id = c.id
  JOIN models m ON m.id = v.model_id AND m.environment_id IS NULL
  JOIN index_readers r ON c.is_moved OR r.name = 'similarity' AND c.is_decided;
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION end_similarity() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    INSERT INTO departed_strangers (environment_id, detection_id)
    SELECT environment_id, id FROM old_rows WHERE is_stranger(type, identity_id, dismissed_at)
    ON CONFLICT DO NOTHING;
    RETURN NULL;
  END IF;
  INSERT INTO departed_strangers (environment_id, detection_id)
  SELECT c.environment_id, c.id
  FROM (
    SELECT environment_id, id, is_stranger(o.type, o.identity_id, o.dismissed_at) AS was_stranger,
      is_stranger(n.type, n.identity_id, n.dismissed_at) AS is_stranger
    FROM new_rows n FULL JOIN old_rows o USING (environment_id, id) OFFSET 0
  ) AS c
  WHERE c.was_stranger AND NOT c.is_stranger
  ON CONFLICT DO NOTHING;
  DELETE FROM departed_strangers g
  USING (
    SELECT environment_id, id, is_stranger(o.type, o.identity_id, o.dismissed_at) AS was_stranger,
      is_stranger(n.type, n.identity_id, n.dismissed_at) AS is_stranger
    FROM new_rows n FULL JOIN old_rows o USING (environment_id, id) OFFSET 0
  ) AS c
  WHERE g.environment_id = c.environment_id AND g.detection_id = c.id AND c.is_stranger AND NOT c.was_stranger;
  DELETE FROM mismatch_scores s
  USING (
    SELECT environment_id, id, n.identity_id IS DISTINCT FROM o.identity_id OR n.review_status <> o.review_status
      OR n.mismatch_reviewed <> o.mismatch_reviewed AS is_decided
    FROM new_rows n FULL JOIN old_rows o USING (environment_id, id) OFFSET 0
  ) AS c
  WHERE s.environment_id = c.environment_id AND s.detection_id = c.id AND c.is_decided;
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION journal_detections() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET extra_float_digits = 1 AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM journal(
      array_agg((environment_id, 'detection', id, 'row', 0, NULL, decision_of(
        identity_id, similarity, review_status, decided_by, dismissed_at, mismatch_reviewed))::journaled),
      array_agg(identity_id)) FROM new_rows;
  ELSIF TG_OP = 'DELETE' THEN
    PERFORM journal(
      array_agg((environment_id, 'detection', id, 'row', 0, to_jsonb(o) - 'queued_at', NULL)::journaled),
      array_agg(identity_id)) FROM old_rows o;
    PERFORM set_files_aside(
      array_agg(environment_id), array_agg(crop_key), array_agg(crop_bytes::bigint)) FROM old_rows
    HAVING count(*) > 0;
  ELSE
    PERFORM journal(
      array_agg((n.environment_id, 'detection', n.id, 'row', 0,
        decision_of(o.identity_id, o.similarity, o.review_status, o.decided_by, o.dismissed_at, o.mismatch_reviewed),
        decision_of(n.identity_id, n.similarity, n.review_status, n.decided_by, n.dismissed_at, n.mismatch_reviewed)
        )::journaled),
      array_agg(n.identity_id) || array_agg(o.identity_id))
    FROM new_rows n FULL JOIN old_rows o USING (environment_id, id)
    WHERE (o.identity_id, o.similarity, o.review_status, o.decided_by, o.dismissed_at, o.mismatch_reviewed)
      IS DISTINCT FROM
      (n.identity_id, n.similarity, n.review_status, n.decided_by, n.dismissed_at, n.mismatch_reviewed);
  END IF;
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION journal_references() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM journal(
      array_agg((environment_id, 'detection', detection_id, 'reference', id, NULL, to_jsonb(n))::journaled),
      array_agg(identity_id)) FROM new_rows n;
  ELSIF TG_OP = 'DELETE' THEN
    PERFORM journal(
      array_agg((environment_id, 'detection', detection_id, 'reference', id, to_jsonb(o), NULL)::journaled),
      array_agg(identity_id)) FROM old_rows o;
  ELSE
    PERFORM journal(
      array_agg((n.environment_id, 'detection', n.detection_id, 'reference', n.id, to_jsonb(o), to_jsonb(n))::journaled),
      array_agg(n.identity_id) || array_agg(o.identity_id))
    FROM new_rows n FULL JOIN old_rows o USING (environment_id, id)
    WHERE n.identity_id IS DISTINCT FROM o.identity_id;
  END IF;
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION record_lost_references() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    INSERT INTO vector_changes (environment_id, reader_id, model_id, kind, entity_id)
    SELECT DISTINCT o.environment_id, r.id, o.model_id, 'losses', o.identity_id
    FROM old_rows o JOIN models m ON m.id = o.model_id AND m.environment_id IS NULL
    JOIN index_readers r ON r.name = 'similarity';
  ELSE
    INSERT INTO vector_changes (environment_id, reader_id, model_id, kind, entity_id)
    SELECT DISTINCT c.environment_id, r.id, c.model_id, 'losses', c.losing
    FROM (
      SELECT environment_id, o.model_id, o.identity_id AS losing, n.identity_id <> o.identity_id AS is_moved
      FROM new_rows n FULL JOIN old_rows o USING (environment_id, id) OFFSET 0
    ) AS c
    JOIN models m ON m.id = c.model_id AND m.environment_id IS NULL
    JOIN index_readers r ON r.name = 'similarity'
    WHERE c.is_moved;
  END IF;
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION record_face_references() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO vector_changes (environment_id, reader_id, model_id, kind, entity_id)
    SELECT n.environment_id, r.id, n.model_id, 'references', n.id
    FROM new_rows n JOIN models m ON m.id = n.model_id AND m.environment_id IS NULL
    CROSS JOIN index_readers r;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO vector_changes (environment_id, reader_id, model_id, kind, entity_id)
    SELECT o.environment_id, r.id, o.model_id, 'references', o.id
    FROM old_rows o JOIN models m ON m.id = o.model_id AND m.environment_id IS NULL
    CROSS JOIN index_readers r;
  ELSE
    INSERT INTO vector_changes (environment_id, reader_id, model_id, kind, entity_id)
    SELECT c.environment_id, r.id, c.model_id, 'references', c.id
    FROM (
      SELECT environment_id, model_id, id, n.identity_id IS DISTINCT FROM o.identity_id AS is_moved
      FROM new_rows n FULL JOIN old_rows o USING (environment_id, model_id, id) OFFSET 0
    ) AS c
    JOIN models m ON m.id = c.model_id AND m.environment_id IS NULL
    CROSS JOIN index_readers r
    WHERE c.is_moved;
  END IF;
  RETURN NULL;
END
$$;
