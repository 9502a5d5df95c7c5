ALTER TABLE group_trees
  ADD COLUMN attached integer DEFAULT 0 NOT NULL,
  ADD COLUMN attached_as_of timestamptz(3);

CREATE TABLE attached_strangers (
  environment_id bigint NOT NULL,
  model_id bigint NOT NULL,
  tree_version bigint NOT NULL,
  attached_before integer NOT NULL,
  strangers bytea NOT NULL,
  CONSTRAINT attached_strangers_pk PRIMARY KEY (environment_id, model_id, tree_version, attached_before),
  CONSTRAINT attached_strangers_tree FOREIGN KEY (environment_id, model_id, tree_version)
    REFERENCES group_trees (environment_id, model_id, version) ON DELETE CASCADE
);
-- Float64 values do not compress.
ALTER TABLE attached_strangers ALTER COLUMN strangers SET STORAGE EXTERNAL;

ALTER TABLE attached_strangers ENABLE ROW LEVEL SECURITY;
CREATE POLICY all_environments ON attached_strangers TO sightline_platform USING (true) WITH CHECK (true);
CREATE POLICY one_environment ON attached_strangers TO sightline_app
  USING (environment_id = nullif(current_setting('sightline.environment_id', true), '')::bigint)
  WITH CHECK (environment_id = nullif(current_setting('sightline.environment_id', true), '')::bigint);
GRANT SELECT, INSERT, UPDATE, DELETE ON attached_strangers TO sightline_platform, sightline_app;
