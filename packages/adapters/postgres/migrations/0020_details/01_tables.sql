ALTER TABLE environment_settings
  ADD COLUMN changed_by text,
  ADD COLUMN changed_with bigint;
ALTER TABLE system_settings
  ADD COLUMN changed_by text,
  ADD COLUMN changed_with bigint;

CREATE TABLE object_classes (
  environment_id bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  name text COLLATE "C" NOT NULL,
  CONSTRAINT object_classes_environment_id_name_pk PRIMARY KEY (environment_id, name)
);
ALTER TABLE object_classes ENABLE ROW LEVEL SECURITY;
CREATE POLICY all_environments ON object_classes TO sightline_platform USING (true) WITH CHECK (true);
CREATE POLICY one_environment ON object_classes TO sightline_app
  USING (environment_id = nullif(current_setting('sightline.environment_id', true), '')::bigint)
  WITH CHECK (environment_id = nullif(current_setting('sightline.environment_id', true), '')::bigint);
GRANT SELECT, INSERT, UPDATE, DELETE ON object_classes TO sightline_platform;
GRANT SELECT ON object_classes TO sightline_app;

CREATE INDEX jobs_of_type ON jobs (environment_id, type, id);
CREATE INDEX jobs_of_status ON jobs (environment_id, status, id);
CREATE INDEX job_items_at_work ON job_items (environment_id, job_id, index) WHERE state = 'running';
CREATE INDEX job_items_failed ON job_items (environment_id, job_id, index) WHERE state = 'failed';

ALTER TABLE webhook_deliveries ADD COLUMN outbox_xid xid8, ADD COLUMN outbox_id bigint;
-- Scoped transactions queue messages that were sent before.
GRANT INSERT, UPDATE (due_at) ON webhook_attempts TO sightline_app;
