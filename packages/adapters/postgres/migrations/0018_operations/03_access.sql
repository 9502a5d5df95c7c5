DO $$
DECLARE
  scope CONSTANT text := $scope$nullif(current_setting('sightline.environment_id', true), '')::bigint$scope$;
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY[
    'operations', 'operation_items', 'operation_identities', 'set_aside_files']
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
-- The service reads operations, and marks what it takes back. Only the triggers add rows.
GRANT SELECT ON operations, operation_items, operation_identities, set_aside_files TO sightline_app;
GRANT UPDATE (undone_by) ON operations TO sightline_app;
GRANT UPDATE (reverted_by) ON operation_items TO sightline_app;
GRANT DELETE ON set_aside_files TO sightline_app;
GRANT EXECUTE ON FUNCTION begin_operation() TO sightline_app;
