-- Triggers maintain suggested_faces: the faces in the review queue that have a suggestion. Their functions
-- run as sightline_platform, because sightline_app may not write the table.
GRANT CREATE ON SCHEMA public TO sightline_platform;

CREATE FUNCTION awaits_review(type text, review_status text, dismissed_at timestamptz)
RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT type = 'face' AND review_status = 'pending' AND dismissed_at IS NULL
$$;

-- Recomputes the rows of these faces. Two transactions may change the same face, for example a review and the
-- deletion of a suggested identity. The later transaction waits for the earlier one, and then reads the
-- changes of both, because each statement of a volatile function sees everything that was committed before
-- the statement.
--
-- LIMIT 1 makes the planner look up each face by its key. Without LIMIT, the planner searched the index of
-- the review queue forty times for each face of a large queue, once per confidence. The plan is generic,
-- because planning for each face of a bulk took ten times as long as the work. NOT IN is fast, because
-- Postgres hashes the remaining rows instead of comparing each pair.
CREATE FUNCTION refresh_suggested_faces(environments bigint[], faces bigint[]) RETURNS void
LANGUAGE plpgsql
SET search_path = public, pg_temp
SET plan_cache_mode = force_generic_plan
AS $$
BEGIN
  PERFORM FROM unnest(environments, faces) AS face (environment_id, id)
  JOIN detections d USING (environment_id, id)
  ORDER BY d.environment_id, d.id FOR NO KEY UPDATE OF d;

  WITH suggested AS (
    SELECT d.environment_id, d.id AS detection_id, s.model_id, d.confidence,
           max(s.similarity) AS similarity
    FROM unnest(environments, faces) AS face (environment_id, id)
    JOIN LATERAL (
      SELECT * FROM detections
      WHERE environment_id = face.environment_id AND id = face.id LIMIT 1
    ) AS d ON awaits_review(d.type, d.review_status, d.dismissed_at)
    JOIN suggestions s ON s.environment_id = d.environment_id AND s.detection_id = d.id
    WHERE NOT EXISTS (
      SELECT FROM rejected_pairs p
      WHERE p.environment_id = s.environment_id AND p.detection_id = s.detection_id
        AND p.identity_id = s.identity_id)
    GROUP BY d.environment_id, d.id, s.model_id, d.confidence
  ), deleted AS (
    DELETE FROM suggested_faces f USING unnest(environments, faces) AS face (environment_id, id)
    WHERE f.environment_id = face.environment_id AND f.detection_id = face.id
      AND (f.environment_id, f.detection_id, f.model_id) NOT IN (
        SELECT environment_id, detection_id, model_id FROM suggested)
  )
  INSERT INTO suggested_faces AS f (environment_id, detection_id, model_id, confidence, similarity)
  SELECT environment_id, detection_id, model_id, confidence, similarity FROM suggested
  ON CONFLICT (environment_id, detection_id, model_id)
  DO UPDATE SET similarity = excluded.similarity WHERE f.similarity <> excluded.similarity;
END
$$;
ALTER FUNCTION refresh_suggested_faces(bigint[], bigint[]) OWNER TO sightline_platform;
REVOKE ALL ON FUNCTION refresh_suggested_faces(bigint[], bigint[]) FROM PUBLIC;

-- Handles changes of suggestions and rejections. Most deletions need no work, because they cascade from the
-- deletion of a detection.
CREATE FUNCTION refresh_suggestions() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  environments bigint[];
  faces bigint[];
BEGIN
  IF TG_OP = 'INSERT' THEN
    SELECT array_agg(environment_id), array_agg(detection_id) INTO environments, faces
    FROM (SELECT DISTINCT environment_id, detection_id FROM new_rows) AS changed;
  ELSIF TG_OP = 'DELETE' THEN
    SELECT array_agg(environment_id), array_agg(detection_id) INTO environments, faces
    FROM (SELECT DISTINCT environment_id, detection_id FROM old_rows) AS changed;
  ELSE
    SELECT array_agg(environment_id), array_agg(detection_id) INTO environments, faces
    FROM (
      SELECT environment_id, detection_id FROM new_rows
      UNION SELECT environment_id, detection_id FROM old_rows
    ) AS changed;
  END IF;
  IF faces IS NOT NULL THEN
    PERFORM refresh_suggested_faces(environments, faces);
  END IF;
  RETURN NULL;
END
$$;
ALTER FUNCTION refresh_suggestions() OWNER TO sightline_platform;

DO $migration$
DECLARE
  watched text;
BEGIN
  FOREACH watched IN ARRAY ARRAY['suggestions', 'rejected_pairs'] LOOP
    EXECUTE format($template$
      CREATE TRIGGER suggested_faces_insert AFTER INSERT ON %1$I
        REFERENCING NEW TABLE AS new_rows
        FOR EACH STATEMENT EXECUTE FUNCTION refresh_suggestions();
      CREATE TRIGGER suggested_faces_update AFTER UPDATE ON %1$I
        REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
        FOR EACH STATEMENT EXECUTE FUNCTION refresh_suggestions();
      CREATE TRIGGER suggested_faces_delete AFTER DELETE ON %1$I
        REFERENCING OLD TABLE AS old_rows
        FOR EACH STATEMENT EXECUTE FUNCTION refresh_suggestions();
    $template$, watched);
  END LOOP;
END
$migration$;

-- Handles faces that enter or leave the review queue. New faces are ignored, because they have no suggestions
-- yet.
CREATE FUNCTION refresh_review_queue() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  environments bigint[];
  faces bigint[];
BEGIN
  SELECT array_agg(environment_id), array_agg(id) INTO environments, faces
  FROM new_rows n JOIN old_rows o USING (environment_id, id)
  WHERE awaits_review(n.type, n.review_status, n.dismissed_at)
    <> awaits_review(o.type, o.review_status, o.dismissed_at);
  IF faces IS NOT NULL THEN
    PERFORM refresh_suggested_faces(environments, faces);
  END IF;
  RETURN NULL;
END
$$;
ALTER FUNCTION refresh_review_queue() OWNER TO sightline_platform;
CREATE TRIGGER suggested_faces_update AFTER UPDATE ON detections
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION refresh_review_queue();

REVOKE CREATE ON SCHEMA public FROM sightline_platform;
