-- Models that only an archive names belong to the environment that imported it. The comments in src/schema explain the
-- columns.
ALTER TABLE models
  ADD COLUMN environment_id bigint,
  ADD CONSTRAINT models_environment_id_environments_id_fk
    FOREIGN KEY (environment_id) REFERENCES environments (id),
  DROP CONSTRAINT models_digest,
  ADD CONSTRAINT models_digest UNIQUE NULLS NOT DISTINCT (environment_id, name, digest),
  ADD CONSTRAINT models_foreign CHECK (environment_id IS NULL OR status = 'available' AND files IS NULL
    AND digest IS NOT NULL AND embedding_dim IS NOT NULL);
-- The constraint models_digest allows one row without a digest for each name.
DROP INDEX models_unpinned;
-- The first release does not use the former constraint and index.
UPDATE installation SET least_release = '0.1.0';
-- Finds the last vector of a model.
CREATE INDEX face_vectors_of_model ON face_vectors (model_id, environment_id, detection_id);

ALTER TABLE models ENABLE ROW LEVEL SECURITY;
CREATE POLICY all_environments ON models TO sightline_platform USING (true) WITH CHECK (true);
CREATE POLICY one_environment ON models TO sightline_app
  USING (environment_id IS NULL
    OR environment_id = nullif(current_setting('sightline.environment_id', true), '')::bigint)
  WITH CHECK (environment_id IS NULL
    OR environment_id = nullif(current_setting('sightline.environment_id', true), '')::bigint);
