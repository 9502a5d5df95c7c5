CREATE TABLE unembeddable_faces (
  environment_id bigint NOT NULL,
  detection_id bigint NOT NULL,
  model_id bigint NOT NULL,
  reason text NOT NULL,
  created_at timestamp (3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT unembeddable_faces_environment_id_detection_id_model_id_pk
    PRIMARY KEY (environment_id, detection_id, model_id),
  CONSTRAINT unembeddable_faces_detection FOREIGN KEY (environment_id, detection_id)
    REFERENCES detections (environment_id, id) ON DELETE CASCADE,
  CONSTRAINT unembeddable_faces_model FOREIGN KEY (model_id) REFERENCES models (id) ON DELETE CASCADE,
  CONSTRAINT unembeddable_faces_reason CHECK (reason IN ('implausible_landmarks'))
);
CREATE INDEX unembeddable_faces_of_model ON unembeddable_faces (model_id);
