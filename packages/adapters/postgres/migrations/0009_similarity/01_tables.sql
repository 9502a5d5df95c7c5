-- What the reader `similarity` derives from the faces of an environment. The comments in src/schema/similarity.ts explain
-- the tables.
CREATE TABLE followed_spaces (
  environment_id bigint NOT NULL,
  model_id bigint NOT NULL,
  turn bigint DEFAULT 0 NOT NULL,
  scanned_to bigint,
  filled_at timestamptz(3),
  current_at timestamptz(3),
  is_settled boolean DEFAULT true NOT NULL,
  CONSTRAINT followed_spaces_environment_id_model_id_pk PRIMARY KEY (environment_id, model_id),
  CONSTRAINT followed_spaces_environment_id_environments_id_fk FOREIGN KEY (environment_id)
    REFERENCES environments (id),
  CONSTRAINT followed_spaces_model_id_models_id_fk FOREIGN KEY (model_id) REFERENCES models (id)
    ON DELETE CASCADE
);
CREATE INDEX followed_spaces_unsettled ON followed_spaces (environment_id, model_id)
  WHERE scanned_to IS NOT NULL OR NOT is_settled;

CREATE TABLE face_neighbors (
  environment_id bigint NOT NULL,
  detection_id bigint NOT NULL,
  model_id bigint NOT NULL,
  fingerprint bigint NOT NULL,
  is_complete boolean NOT NULL,
  ids bytea NOT NULL,
  cosines bytea NOT NULL,
  CONSTRAINT face_neighbors_environment_id_detection_id_model_id_pk
    PRIMARY KEY (environment_id, detection_id, model_id),
  CONSTRAINT face_neighbors_detection FOREIGN KEY (environment_id, detection_id)
    REFERENCES detections (environment_id, id) ON DELETE CASCADE
);

CREATE TABLE group_trees (
  environment_id bigint NOT NULL,
  model_id bigint NOT NULL,
  version bigint GENERATED ALWAYS AS IDENTITY,
  as_of timestamptz(3) NOT NULL,
  made_at timestamptz(3) DEFAULT now() NOT NULL,
  faces bytea NOT NULL,
  confidences bytea NOT NULL,
  parts bytea NOT NULL,
  cosines bytea NOT NULL,
  CONSTRAINT group_trees_environment_id_model_id_version_pk PRIMARY KEY (environment_id, model_id, version),
  CONSTRAINT group_trees_environment_id_environments_id_fk FOREIGN KEY (environment_id)
    REFERENCES environments (id),
  CONSTRAINT group_trees_model_id_models_id_fk FOREIGN KEY (model_id) REFERENCES models (id)
    ON DELETE CASCADE
);
-- Vectors and float64 values do not compress.
ALTER TABLE face_neighbors ALTER COLUMN ids SET STORAGE EXTERNAL;
ALTER TABLE face_neighbors ALTER COLUMN cosines SET STORAGE EXTERNAL;
ALTER TABLE group_trees ALTER COLUMN faces SET STORAGE EXTERNAL;
ALTER TABLE group_trees ALTER COLUMN confidences SET STORAGE EXTERNAL;
ALTER TABLE group_trees ALTER COLUMN parts SET STORAGE EXTERNAL;
ALTER TABLE group_trees ALTER COLUMN cosines SET STORAGE EXTERNAL;

CREATE TABLE departed_strangers (
  environment_id bigint NOT NULL,
  detection_id bigint NOT NULL,
  departed_at timestamptz(3) DEFAULT now() NOT NULL,
  CONSTRAINT departed_strangers_environment_id_detection_id_pk PRIMARY KEY (environment_id, detection_id),
  CONSTRAINT departed_strangers_environment_id_environments_id_fk FOREIGN KEY (environment_id)
    REFERENCES environments (id)
);
CREATE INDEX departed_strangers_oldest ON departed_strangers (departed_at);

CREATE TABLE mismatch_scores (
  environment_id bigint NOT NULL,
  detection_id bigint NOT NULL,
  model_id bigint NOT NULL,
  identity_id bigint NOT NULL,
  similarity double precision NOT NULL,
  CONSTRAINT mismatch_scores_environment_id_detection_id_model_id_pk
    PRIMARY KEY (environment_id, detection_id, model_id),
  CONSTRAINT mismatch_scores_detection FOREIGN KEY (environment_id, detection_id)
    REFERENCES detections (environment_id, id) ON DELETE CASCADE
);
CREATE INDEX mismatch_scores_worst ON mismatch_scores (environment_id, model_id, similarity, detection_id);
CREATE INDEX mismatch_scores_of_identity ON mismatch_scores (environment_id, identity_id);

-- The first release records no changes of kind `losses`, and works with the new constraint and index.
UPDATE installation SET least_release = '0.1.0';
ALTER TABLE vector_changes
  ADD COLUMN noted_at timestamptz(3) DEFAULT now() NOT NULL,
  DROP CONSTRAINT vector_changes_kind,
  ADD CONSTRAINT vector_changes_kind CHECK (kind IN ('faces', 'references', 'means', 'losses'));
-- The reader comes first, so that the environments with changes for one reader are found by one lookup each.
DROP INDEX vector_changes_of_space;
CREATE INDEX vector_changes_of_space ON vector_changes (reader_id, environment_id, model_id, kind, entity_id);
