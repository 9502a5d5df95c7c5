ALTER TABLE unembeddable_faces ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_environment ON unembeddable_faces TO sightline_app
  USING (environment_id = nullif(current_setting('sightline.environment_id', true), '')::bigint)
  WITH CHECK (environment_id = nullif(current_setting('sightline.environment_id', true), '')::bigint);
CREATE POLICY all_environments ON unembeddable_faces TO sightline_platform
  USING (true) WITH CHECK (true);

GRANT SELECT, INSERT, UPDATE, DELETE ON unembeddable_faces TO sightline_platform;
GRANT SELECT, INSERT, DELETE ON unembeddable_faces TO sightline_app;
