-- Row-level security, as src/schema/policies.ts describes. sightline_app sees the rows of the environment
-- that its transaction names, and no rows without that setting. sightline_platform sees all rows.
DO $$
DECLARE
  scope CONSTANT text := $scope$nullif(current_setting('sightline.environment_id', true), '')::bigint$scope$;
  protected record;
BEGIN
  FOR protected IN
    SELECT c.relname AS name,
      CASE c.relname WHEN 'environments' THEN 'id' ELSE 'environment_id' END AS environment
    FROM pg_class c
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND (
      c.relname = 'environments' OR EXISTS (
        SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'environment_id'))
  LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', protected.name);
    EXECUTE format(
      'CREATE POLICY all_environments ON %I TO sightline_platform USING (true) WITH CHECK (true)',
      protected.name);
    -- Scoped transactions have no policy for this table, so they cannot read keys.
    CONTINUE WHEN protected.name = 'keys';
    EXECUTE format(
      'CREATE POLICY one_environment ON %1$I TO sightline_app USING (%2$I = %3$s) WITH CHECK (%2$I = %3$s)',
      protected.name, protected.environment, scope);
  END LOOP;
END
$$;

GRANT SELECT, INSERT, UPDATE, DELETE ON
  environments, keys, environment_settings, system_settings, leases,
  models, jobs, job_items, job_turns, activations, embedding_backlogs,
  source_images, identities, detections,
  face_vectors, face_references, identity_means, rejected_pairs, suggestions, suggested_faces,
  counter_deltas, index_readers, vector_changes,
  outbox, consumer_positions, feed_entries, feed_heads, relay_positions,
  webhooks, webhook_turns, webhook_attempts, webhook_deliveries,
  idempotency_keys, audit
  TO sightline_platform;
GRANT SELECT, UPDATE ON installation TO sightline_platform;
-- Processes that do not migrate compare the applied migrations with those they know.
GRANT SELECT ON applied_migrations, assigned_identities TO sightline_platform;

GRANT SELECT, INSERT, UPDATE, DELETE ON
  environment_settings, source_images, identities, detections,
  face_vectors, face_references, identity_means, rejected_pairs, suggestions,
  jobs, job_items, webhooks, webhook_turns, idempotency_keys
  TO sightline_app;
GRANT SELECT ON
  environments, system_settings, models, activations, assigned_identities, suggested_faces,
  counter_deltas, index_readers, vector_changes, feed_entries, feed_heads
  TO sightline_app;
-- Scoped transactions only add events, because consumers read the outbox as sightline_platform.
GRANT INSERT ON outbox TO sightline_app;
-- The transaction that finishes the last item of a job deletes the backlog, and matching becomes available.
GRANT SELECT, DELETE ON embedding_backlogs TO sightline_app;
-- A transaction that requests a download also assigns the model to the new job.
GRANT UPDATE (status, error, download_job_id) ON models TO sightline_app;
GRANT SELECT, DELETE ON webhook_attempts TO sightline_app;
GRANT SELECT, INSERT ON webhook_deliveries TO sightline_app;
