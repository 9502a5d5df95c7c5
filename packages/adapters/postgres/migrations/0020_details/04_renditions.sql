CREATE TABLE detection_renditions (
  environment_id bigint NOT NULL,
  detection_id bigint NOT NULL,
  width integer NOT NULL,
  media_key text NOT NULL,
  bytes integer NOT NULL,
  CONSTRAINT detection_renditions_environment_id_detection_id_width_pk
    PRIMARY KEY (environment_id, detection_id, width),
  CONSTRAINT detection_renditions_media_key UNIQUE (media_key),
  CONSTRAINT detection_renditions_detection FOREIGN KEY (environment_id, detection_id)
    REFERENCES detections (environment_id, id) ON DELETE CASCADE
);
CREATE TABLE source_renditions (
  environment_id bigint NOT NULL,
  source_image_id bigint NOT NULL,
  width integer NOT NULL,
  media_key text NOT NULL,
  bytes integer NOT NULL,
  CONSTRAINT source_renditions_environment_id_source_image_id_width_pk
    PRIMARY KEY (environment_id, source_image_id, width),
  CONSTRAINT source_renditions_media_key UNIQUE (media_key),
  CONSTRAINT source_renditions_source_image FOREIGN KEY (environment_id, source_image_id)
    REFERENCES source_images (environment_id, id) ON DELETE CASCADE
);

-- Counts the bytes of renditions, also of those that an earlier release deletes with their records.
GRANT CREATE ON SCHEMA public TO sightline_platform;
CREATE FUNCTION count_new_renditions() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO counter_deltas (environment_id, counter, subject_id, model_id, delta)
    SELECT environment_id, 'rendition_bytes', 0, 0, sum(bytes) FROM new_rows GROUP BY environment_id;
  RETURN NULL;
END
$$;
CREATE FUNCTION count_old_renditions() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO counter_deltas (environment_id, counter, subject_id, model_id, delta)
    SELECT environment_id, 'rendition_bytes', 0, 0, -sum(bytes) FROM old_rows GROUP BY environment_id;
  RETURN NULL;
END
$$;
ALTER FUNCTION count_new_renditions() OWNER TO sightline_platform;
ALTER FUNCTION count_old_renditions() OWNER TO sightline_platform;
REVOKE CREATE ON SCHEMA public FROM sightline_platform;

DO $$
DECLARE
  scope CONSTANT text := $scope$nullif(current_setting('sightline.environment_id', true), '')::bigint$scope$;
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['detection_renditions', 'source_renditions'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format(
      'CREATE POLICY all_environments ON %I TO sightline_platform USING (true) WITH CHECK (true)', name);
    EXECUTE format(
      'CREATE POLICY one_environment ON %1$I TO sightline_app
       USING (environment_id = %2$s) WITH CHECK (environment_id = %2$s)', name, scope);
    EXECUTE format(
      'GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO sightline_platform, sightline_app', name);
    EXECUTE format(
      'CREATE TRIGGER counters_insert AFTER INSERT ON %I REFERENCING NEW TABLE AS new_rows
       FOR EACH STATEMENT EXECUTE FUNCTION count_new_renditions()', name);
    EXECUTE format(
      'CREATE TRIGGER counters_delete AFTER DELETE ON %I REFERENCING OLD TABLE AS old_rows
       FOR EACH STATEMENT EXECUTE FUNCTION count_old_renditions()', name);
  END LOOP;
END
$$;
