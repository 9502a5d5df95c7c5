DO $$
DECLARE
  scope CONSTANT text := $scope$nullif(current_setting('sightline.environment_id', true), '')::bigint$scope$;
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY[
    'followed_spaces', 'face_neighbors', 'group_trees', 'departed_strangers', 'mismatch_scores']
  LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format(
      'CREATE POLICY all_environments ON %I TO sightline_platform USING (true) WITH CHECK (true)', name);
    EXECUTE format(
      'CREATE POLICY one_environment ON %1$I TO sightline_app
       USING (environment_id = %2$s) WITH CHECK (environment_id = %2$s)', name, scope);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO sightline_platform', name);
  END LOOP;
END
$$;
GRANT SELECT, INSERT, UPDATE, DELETE ON followed_spaces, face_neighbors, group_trees, mismatch_scores
  TO sightline_app;
GRANT SELECT ON departed_strangers TO sightline_app;

-- Scoped transactions acknowledge changes of their environment that the follower of similarity has applied. They may not
-- delete those of other readers.
GRANT CREATE ON SCHEMA public TO sightline_platform;
CREATE FUNCTION acknowledge_similarity(changes bigint[]) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  DELETE FROM vector_changes
  WHERE environment_id = nullif(current_setting('sightline.environment_id', true), '')::bigint
    AND reader_id = (SELECT id FROM index_readers WHERE name = 'similarity')
    AND id = any(changes)
$$;
ALTER FUNCTION acknowledge_similarity(bigint[]) OWNER TO sightline_platform;
REVOKE ALL ON FUNCTION acknowledge_similarity(bigint[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION acknowledge_similarity(bigint[]) TO sightline_app;
REVOKE CREATE ON SCHEMA public FROM sightline_platform;
