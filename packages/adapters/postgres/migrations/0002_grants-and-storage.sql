-- What the scoped doors may do. Everything else is refused, keys above all.
GRANT SELECT, INSERT, UPDATE, DELETE ON
  environment_settings, source_images, detections, identities, face_vectors, face_references,
  identity_means, rejected_pairs, suggestions, idempotency_keys
  TO sightline_app;
--> statement-breakpoint
GRANT SELECT ON
  environments, models, active_models, system_settings, jobs, vector_changes, counter_deltas
  TO sightline_app;
--> statement-breakpoint
GRANT INSERT ON outbox TO sightline_app;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON
  environments, keys, environment_settings, system_settings, source_images, detections, identities,
  face_vectors, face_references, identity_means, rejected_pairs, suggestions, models, active_models,
  vector_changes, counter_deltas, outbox, idempotency_keys, jobs, audit
  TO sightline_platform;
--> statement-breakpoint
-- A cover that is deleted is none. Only this column becomes null, which the schema cannot say.
ALTER TABLE identities ADD CONSTRAINT identities_cover_detection
  FOREIGN KEY (environment_id, cover_detection_id) REFERENCES detections (environment_id, id)
  ON DELETE SET NULL (cover_detection_id);
--> statement-breakpoint
-- Vectors do not compress. Those of faces stay in their row, where one look finds them.
ALTER TABLE face_vectors ALTER COLUMN vector SET STORAGE EXTERNAL;
--> statement-breakpoint
ALTER TABLE face_vectors SET (toast_tuple_target = 8160);
--> statement-breakpoint
ALTER TABLE identity_means ALTER COLUMN sum SET STORAGE EXTERNAL;
--> statement-breakpoint
ALTER TABLE identity_means ALTER COLUMN mean SET STORAGE EXTERNAL;
--> statement-breakpoint
-- Tables that work like queues: rows come and go all the time, and readers begin where dead ones lie.
ALTER TABLE vector_changes SET (
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
  autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 1000);
--> statement-breakpoint
ALTER TABLE counter_deltas SET (
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
  autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 1000);
--> statement-breakpoint
ALTER TABLE outbox SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
--> statement-breakpoint
-- Rows that change in place: with room on their page, their index entries stay as they are.
ALTER TABLE idempotency_keys SET (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.05);
--> statement-breakpoint
ALTER TABLE jobs SET (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.05);
