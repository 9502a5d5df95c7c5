-- Each environment gets rows of its own for the models that its archives named. Models without a vector go.
CREATE TEMPORARY TABLE shared ON COMMIT DROP AS
  SELECT m.id FROM models m
  WHERE m.status = 'available' AND m.files IS NULL AND m.digest IS NOT NULL
    AND NOT EXISTS (SELECT FROM activations a WHERE m.id IN (a.model_id, a.previous_id))
    AND NOT EXISTS (SELECT FROM embedding_backlogs b WHERE b.model_id = m.id);

INSERT INTO models (environment_id, name, digest, task, version, license, provides, embedding_dim, classes, status)
  SELECT v.environment_id, m.name, m.digest, m.task, m.version, m.license, m.provides, m.embedding_dim, m.classes,
    m.status
  FROM models m
  CROSS JOIN LATERAL (SELECT DISTINCT environment_id FROM face_vectors WHERE model_id = m.id) AS v
  WHERE m.id IN (SELECT id FROM shared);

CREATE TEMPORARY TABLE moved ON COMMIT DROP AS
  SELECT f.environment_id, s.id AS model_id, f.id AS own_id
  FROM shared s JOIN models m USING (id)
  JOIN models f ON f.environment_id IS NOT NULL AND f.name = m.name AND f.digest = m.digest;

INSERT INTO face_vectors (environment_id, detection_id, model_id, vector, created_at)
  SELECT v.environment_id, v.detection_id, o.own_id, v.vector, v.created_at
  FROM face_vectors v JOIN moved o USING (environment_id, model_id);
UPDATE face_references r SET model_id = o.own_id FROM moved o
  WHERE r.environment_id = o.environment_id AND r.model_id = o.model_id;
UPDATE identity_means n SET model_id = o.own_id FROM moved o
  WHERE n.environment_id = o.environment_id AND n.model_id = o.model_id;
DELETE FROM face_vectors WHERE model_id IN (SELECT id FROM shared);
DELETE FROM vector_changes WHERE model_id IN (SELECT id FROM shared);
DELETE FROM models WHERE id IN (SELECT id FROM shared);
