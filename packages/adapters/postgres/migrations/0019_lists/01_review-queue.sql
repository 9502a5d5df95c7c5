-- The queue of a person, and its orders by similarity and time. `suggested_faces` has the person of each face's best
-- suggestion; of equal ones the lowest id.
ALTER TABLE suggested_faces
  ADD COLUMN identity_id bigint,
  ADD COLUMN detected_at timestamptz(3);

UPDATE suggested_faces f SET
  identity_id = best.identity_id,
  detected_at = (
    SELECT d.detected_at FROM detections d
    WHERE d.environment_id = f.environment_id AND d.id = f.detection_id)
FROM (
  SELECT DISTINCT ON (s.environment_id, s.detection_id, s.model_id)
    s.environment_id, s.detection_id, s.model_id, s.identity_id
  FROM suggestions s
  WHERE NOT EXISTS (
    SELECT FROM rejected_pairs p
    WHERE p.environment_id = s.environment_id AND p.detection_id = s.detection_id
      AND p.identity_id = s.identity_id)
  ORDER BY s.environment_id, s.detection_id, s.model_id, s.similarity DESC, s.identity_id
) AS best
WHERE best.environment_id = f.environment_id AND best.detection_id = f.detection_id
  AND best.model_id = f.model_id;

ALTER TABLE suggested_faces
  ALTER COLUMN identity_id SET NOT NULL,
  ALTER COLUMN detected_at SET NOT NULL;

CREATE INDEX suggested_faces_similar
  ON suggested_faces (environment_id, model_id, similarity, detection_id);
CREATE INDEX suggested_faces_newest
  ON suggested_faces (environment_id, model_id, detected_at, detection_id, similarity);
CREATE INDEX suggested_faces_of_identity
  ON suggested_faces (environment_id, identity_id, model_id, similarity, detection_id, confidence, detected_at);
CREATE INDEX detections_review_newest ON detections (environment_id, detected_at, id)
  WHERE type = 'face' AND review_status = 'pending' AND dismissed_at IS NULL;
CREATE INDEX detections_review_by_id ON detections (environment_id, id)
  WHERE type = 'face' AND review_status = 'pending' AND dismissed_at IS NULL;

DROP INDEX mismatch_scores_of_identity;
CREATE INDEX mismatch_scores_of_identity
  ON mismatch_scores (environment_id, identity_id, model_id, similarity, detection_id);

-- Otherwise this function is that of the baseline, which explains it.
CREATE OR REPLACE FUNCTION refresh_suggested_faces(environments bigint[], faces bigint[]) RETURNS void
LANGUAGE plpgsql
SET search_path = public, pg_temp
SET plan_cache_mode = force_generic_plan
AS $$
BEGIN
  PERFORM FROM unnest(environments, faces) AS face (environment_id, id)
  JOIN detections d USING (environment_id, id)
  ORDER BY d.environment_id, d.id FOR NO KEY UPDATE OF d;

  WITH suggested AS (
    SELECT DISTINCT ON (d.environment_id, d.id, s.model_id)
      d.environment_id, d.id AS detection_id, s.model_id, d.confidence, d.detected_at, s.similarity, s.identity_id
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
    ORDER BY d.environment_id, d.id, s.model_id, s.similarity DESC, s.identity_id
  ), deleted AS (
    DELETE FROM suggested_faces f USING unnest(environments, faces) AS face (environment_id, id)
    WHERE f.environment_id = face.environment_id AND f.detection_id = face.id
      AND (f.environment_id, f.detection_id, f.model_id) NOT IN (
        SELECT environment_id, detection_id, model_id FROM suggested)
  )
  INSERT INTO suggested_faces AS f
    (environment_id, detection_id, model_id, confidence, detected_at, similarity, identity_id)
  SELECT environment_id, detection_id, model_id, confidence, detected_at, similarity, identity_id FROM suggested
  ON CONFLICT (environment_id, detection_id, model_id)
  DO UPDATE SET similarity = excluded.similarity, identity_id = excluded.identity_id
  WHERE (f.similarity, f.identity_id) <> (excluded.similarity, excluded.identity_id);
END
$$;
