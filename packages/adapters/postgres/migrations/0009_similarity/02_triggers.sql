GRANT CREATE ON SCHEMA public TO sightline_platform;

-- Some changes concern only the reader `similarity`: those of a face's status, its dismissal and its rejections, which
-- change no vector; identities that lose references; and sums of references whose mean stays the same.

-- A sum that changes without its mean is recorded for similarity alone. Otherwise this function is that of the migration
-- foreign-models.
CREATE OR REPLACE FUNCTION record_identity_means() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO vector_changes (environment_id, reader_id, model_id, kind, entity_id)
    SELECT n.environment_id, r.id, n.model_id, 'means', n.identity_id
    FROM new_rows n JOIN models m ON m.id = n.model_id AND m.environment_id IS NULL
    CROSS JOIN index_readers r;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO vector_changes (environment_id, reader_id, model_id, kind, entity_id)
    SELECT o.environment_id, r.id, o.model_id, 'means', o.identity_id
    FROM old_rows o JOIN models m ON m.id = o.model_id AND m.environment_id IS NULL
    CROSS JOIN index_readers r;
  ELSE
    INSERT INTO vector_changes (environment_id, reader_id, model_id, kind, entity_id)
    SELECT n.environment_id, r.id, n.model_id, 'means', n.identity_id
    FROM new_rows n JOIN old_rows o USING (environment_id, model_id, identity_id)
    JOIN models m ON m.id = n.model_id AND m.environment_id IS NULL
    JOIN index_readers r ON n.mean IS DISTINCT FROM o.mean
      OR r.name = 'similarity' AND n.sum IS DISTINCT FROM o.sum;
  END IF;
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION record_detections() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO vector_changes (environment_id, reader_id, model_id, kind, entity_id)
  SELECT n.environment_id, r.id, v.model_id, 'faces', v.detection_id
  FROM new_rows n
  JOIN old_rows o USING (environment_id, id)
  JOIN face_vectors v USING (environment_id)
  JOIN models m ON m.id = v.model_id AND m.environment_id IS NULL
  JOIN index_readers r ON n.identity_id IS DISTINCT FROM o.identity_id OR r.name = 'similarity' AND (
    n.review_status <> o.review_status OR n.mismatch_reviewed <> o.mismatch_reviewed
    OR (n.dismissed_at IS NULL) <> (o.dismissed_at IS NULL))
  WHERE v.detection_id = n.id;
  RETURN NULL;
END
$$;

-- Records the faces of rejections.
CREATE FUNCTION record_rejections() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM record_similarity_of(array_agg(environment_id), array_agg(detection_id)) FROM new_rows;
  ELSIF TG_OP = 'DELETE' THEN
    PERFORM record_similarity_of(array_agg(environment_id), array_agg(detection_id)) FROM old_rows;
  ELSE
    PERFORM record_similarity_of(array_agg(environment_id), array_agg(detection_id)) FROM (
      SELECT environment_id, detection_id FROM new_rows
      UNION SELECT environment_id, detection_id FROM old_rows) AS changed;
  END IF;
  RETURN NULL;
END
$$;
ALTER FUNCTION record_rejections() OWNER TO sightline_platform;

CREATE FUNCTION record_similarity_of(environments bigint[], faces bigint[]) RETURNS void
LANGUAGE plpgsql
SET search_path = public, pg_temp
SET plan_cache_mode = force_generic_plan
AS $$
BEGIN
  INSERT INTO vector_changes (environment_id, reader_id, model_id, kind, entity_id)
  SELECT face.environment_id, r.id, v.model_id, 'faces', face.id
  FROM unnest(environments, faces) AS face (environment_id, id)
  JOIN index_readers r ON r.name = 'similarity'
  CROSS JOIN LATERAL (
    SELECT model_id FROM face_vectors v
    WHERE v.environment_id = face.environment_id AND v.detection_id = face.id OFFSET 0) AS v
  JOIN models m ON m.id = v.model_id AND m.environment_id IS NULL;
END
$$;
ALTER FUNCTION record_similarity_of(bigint[], bigint[]) OWNER TO sightline_platform;
REVOKE ALL ON FUNCTION record_similarity_of(bigint[], bigint[]) FROM PUBLIC;

CREATE TRIGGER similarity_insert AFTER INSERT ON rejected_pairs
  REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION record_rejections();
CREATE TRIGGER similarity_update AFTER UPDATE ON rejected_pairs
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION record_rejections();
CREATE TRIGGER similarity_delete AFTER DELETE ON rejected_pairs
  REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION record_rejections();

-- Records the faces whose suggestions end with an identity, because another identity may take its place. The follower
-- itself deletes suggestions of other identities.
CREATE FUNCTION record_ended_suggestions() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  environments bigint[];
  faces bigint[];
BEGIN
  SELECT array_agg(environment_id), array_agg(detection_id) INTO environments, faces
  FROM (
    SELECT DISTINCT environment_id, detection_id FROM old_rows o
    WHERE NOT EXISTS (
      SELECT FROM identities i
      WHERE i.environment_id = o.environment_id AND i.id = o.identity_id AND i.deleting_since IS NULL)
  ) AS ended;
  IF faces IS NOT NULL THEN
    PERFORM record_similarity_of(environments, faces);
  END IF;
  RETURN NULL;
END
$$;
ALTER FUNCTION record_ended_suggestions() OWNER TO sightline_platform;
CREATE TRIGGER similarity_delete AFTER DELETE ON suggestions
  REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION record_ended_suggestions();

-- Records identities that lose references.
CREATE FUNCTION record_lost_references() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    INSERT INTO vector_changes (environment_id, reader_id, model_id, kind, entity_id)
    SELECT DISTINCT o.environment_id, r.id, o.model_id, 'losses', o.identity_id
    FROM old_rows o JOIN models m ON m.id = o.model_id AND m.environment_id IS NULL
    JOIN index_readers r ON r.name = 'similarity';
  ELSE
    INSERT INTO vector_changes (environment_id, reader_id, model_id, kind, entity_id)
    SELECT DISTINCT o.environment_id, r.id, o.model_id, 'losses', o.identity_id
    FROM new_rows n JOIN old_rows o USING (environment_id, id)
    JOIN models m ON m.id = o.model_id AND m.environment_id IS NULL
    JOIN index_readers r ON r.name = 'similarity'
    WHERE n.identity_id <> o.identity_id;
  END IF;
  RETURN NULL;
END
$$;
ALTER FUNCTION record_lost_references() OWNER TO sightline_platform;
CREATE TRIGGER similarity_update AFTER UPDATE ON face_references
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION record_lost_references();
CREATE TRIGGER similarity_delete AFTER DELETE ON face_references
  REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION record_lost_references();

-- Another strategy changes all suggestions, so each face is read again.
CREATE FUNCTION record_strategy() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP <> 'INSERT' AND OLD.key = 'face.match_strategy' THEN
    UPDATE followed_spaces SET scanned_to = 0, turn = turn + 1 WHERE environment_id = OLD.environment_id;
  ELSIF TG_OP <> 'DELETE' AND NEW.key = 'face.match_strategy' THEN
    UPDATE followed_spaces SET scanned_to = 0, turn = turn + 1 WHERE environment_id = NEW.environment_id;
  END IF;
  RETURN NULL;
END
$$;
ALTER FUNCTION record_strategy() OWNER TO sightline_platform;
CREATE TRIGGER similarity AFTER INSERT OR UPDATE OR DELETE ON environment_settings
  FOR EACH ROW EXECUTE FUNCTION record_strategy();

-- A stranger is a face without an identity that is not dismissed. Groups of strangers are stored, so a face that is no
-- stranger any more is recorded for their readers, in the same transaction. The score of a face ends with the decision
-- that it belongs to.
CREATE FUNCTION is_stranger(type text, identity_id bigint, dismissed_at timestamptz)
RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT type = 'face' AND identity_id IS NULL AND dismissed_at IS NULL
$$;

CREATE FUNCTION end_similarity() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    INSERT INTO departed_strangers (environment_id, detection_id)
    SELECT environment_id, id FROM old_rows WHERE is_stranger(type, identity_id, dismissed_at)
    ON CONFLICT DO NOTHING;
    RETURN NULL;
  END IF;
  INSERT INTO departed_strangers (environment_id, detection_id)
  SELECT environment_id, id FROM new_rows n JOIN old_rows o USING (environment_id, id)
  WHERE is_stranger(o.type, o.identity_id, o.dismissed_at)
    AND NOT is_stranger(n.type, n.identity_id, n.dismissed_at)
  ON CONFLICT DO NOTHING;
  DELETE FROM departed_strangers g
  USING new_rows n JOIN old_rows o USING (environment_id, id)
  WHERE g.environment_id = n.environment_id AND g.detection_id = n.id
    AND is_stranger(n.type, n.identity_id, n.dismissed_at)
    AND NOT is_stranger(o.type, o.identity_id, o.dismissed_at);
  DELETE FROM mismatch_scores s
  USING new_rows n JOIN old_rows o USING (environment_id, id)
  WHERE s.environment_id = n.environment_id AND s.detection_id = n.id AND (
    n.identity_id IS DISTINCT FROM o.identity_id OR n.review_status <> o.review_status
    OR n.mismatch_reviewed <> o.mismatch_reviewed);
  RETURN NULL;
END
$$;
ALTER FUNCTION end_similarity() OWNER TO sightline_platform;
CREATE TRIGGER similarity_update AFTER UPDATE ON detections
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION end_similarity();
CREATE TRIGGER similarity_delete AFTER DELETE ON detections
  REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION end_similarity();

-- Strangers are counted, beside what the baseline counts; so are those that are there already.
CREATE OR REPLACE FUNCTION detection_counts(
  type text, review_status text, dismissed_at timestamptz, identity_id bigint, crop_bytes integer
) RETURNS TABLE (counter text, subject_id bigint, model_id bigint, amount bigint)
LANGUAGE sql IMMUTABLE AS $$
  SELECT counts.counter, counts.subject_id, 0::bigint, counts.amount
  FROM (VALUES
    (type || '_detections', 0::bigint, 1::bigint),
    ('storage_bytes', 0, crop_bytes),
    ('pending_review', 0,
      (type = 'face' AND review_status = 'pending' AND dismissed_at IS NULL)::int),
    ('strangers', 0, (type = 'face' AND identity_id IS NULL AND dismissed_at IS NULL)::int),
    ('identity.detections', identity_id, 1),
    ('identity.pending_review', identity_id,
      (type = 'face' AND review_status = 'pending' AND dismissed_at IS NULL)::int)
  ) AS counts (counter, subject_id, amount)
  WHERE counts.subject_id IS NOT NULL AND counts.amount <> 0
$$;
INSERT INTO counter_deltas (environment_id, counter, subject_id, model_id, delta)
  SELECT environment_id, 'strangers', 0, 0, count(*) FROM detections
  WHERE type = 'face' AND identity_id IS NULL AND dismissed_at IS NULL GROUP BY environment_id;

REVOKE CREATE ON SCHEMA public FROM sightline_platform;
