ALTER TABLE "identities" DROP CONSTRAINT "identities_label";--> statement-breakpoint
ALTER TABLE "identities" ADD COLUMN "leaving_since" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "counter_deltas" ADD COLUMN "is_folded" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "identities_label" ON "identities" USING btree ("environment_id","type","label") WHERE "identities"."leaving_since" is null;--> statement-breakpoint
CREATE INDEX "identities_leaving" ON "identities" USING btree ("environment_id","id") WHERE "identities"."leaving_since" is not null;--> statement-breakpoint
CREATE INDEX "counter_deltas_to_fold" ON "counter_deltas" USING btree ("id") WHERE not "counter_deltas"."is_folded";--> statement-breakpoint
ALTER POLICY "one_environment" ON "detections" TO sightline_app USING ("detections"."environment_id" = nullif(current_setting('sightline.environment_id', true), '')::bigint) WITH CHECK ("detections"."environment_id" = nullif(current_setting('sightline.environment_id', true), '')::bigint);--> statement-breakpoint
ALTER POLICY "one_environment" ON "embedding_backlogs" TO sightline_app USING ("embedding_backlogs"."environment_id" = nullif(current_setting('sightline.environment_id', true), '')::bigint) WITH CHECK ("embedding_backlogs"."environment_id" = nullif(current_setting('sightline.environment_id', true), '')::bigint);--> statement-breakpoint
ALTER POLICY "one_environment" ON "environments" TO sightline_app USING ("environments"."id" = nullif(current_setting('sightline.environment_id', true), '')::bigint) WITH CHECK ("environments"."id" = nullif(current_setting('sightline.environment_id', true), '')::bigint);--> statement-breakpoint
ALTER POLICY "one_environment" ON "identities" TO sightline_app USING ("identities"."environment_id" = nullif(current_setting('sightline.environment_id', true), '')::bigint) WITH CHECK ("identities"."environment_id" = nullif(current_setting('sightline.environment_id', true), '')::bigint);--> statement-breakpoint
ALTER POLICY "one_environment" ON "face_references" TO sightline_app USING ("face_references"."environment_id" = nullif(current_setting('sightline.environment_id', true), '')::bigint) WITH CHECK ("face_references"."environment_id" = nullif(current_setting('sightline.environment_id', true), '')::bigint);--> statement-breakpoint
ALTER POLICY "one_environment" ON "face_vectors" TO sightline_app USING ("face_vectors"."environment_id" = nullif(current_setting('sightline.environment_id', true), '')::bigint) WITH CHECK ("face_vectors"."environment_id" = nullif(current_setting('sightline.environment_id', true), '')::bigint);--> statement-breakpoint
ALTER POLICY "one_environment" ON "identity_means" TO sightline_app USING ("identity_means"."environment_id" = nullif(current_setting('sightline.environment_id', true), '')::bigint) WITH CHECK ("identity_means"."environment_id" = nullif(current_setting('sightline.environment_id', true), '')::bigint);--> statement-breakpoint
ALTER POLICY "one_environment" ON "rejected_pairs" TO sightline_app USING ("rejected_pairs"."environment_id" = nullif(current_setting('sightline.environment_id', true), '')::bigint) WITH CHECK ("rejected_pairs"."environment_id" = nullif(current_setting('sightline.environment_id', true), '')::bigint);--> statement-breakpoint
ALTER POLICY "one_environment" ON "suggestions" TO sightline_app USING ("suggestions"."environment_id" = nullif(current_setting('sightline.environment_id', true), '')::bigint) WITH CHECK ("suggestions"."environment_id" = nullif(current_setting('sightline.environment_id', true), '')::bigint);--> statement-breakpoint
ALTER POLICY "one_environment" ON "outbox" TO sightline_app USING ("outbox"."environment_id" = nullif(current_setting('sightline.environment_id', true), '')::bigint) WITH CHECK ("outbox"."environment_id" = nullif(current_setting('sightline.environment_id', true), '')::bigint);--> statement-breakpoint
ALTER POLICY "one_environment" ON "counter_deltas" TO sightline_app USING ("counter_deltas"."environment_id" = nullif(current_setting('sightline.environment_id', true), '')::bigint) WITH CHECK ("counter_deltas"."environment_id" = nullif(current_setting('sightline.environment_id', true), '')::bigint);--> statement-breakpoint
ALTER POLICY "one_environment" ON "vector_changes" TO sightline_app USING ("vector_changes"."environment_id" = nullif(current_setting('sightline.environment_id', true), '')::bigint) WITH CHECK ("vector_changes"."environment_id" = nullif(current_setting('sightline.environment_id', true), '')::bigint);--> statement-breakpoint
ALTER POLICY "one_environment" ON "audit" TO sightline_app USING ("audit"."environment_id" = nullif(current_setting('sightline.environment_id', true), '')::bigint) WITH CHECK ("audit"."environment_id" = nullif(current_setting('sightline.environment_id', true), '')::bigint);--> statement-breakpoint
ALTER POLICY "one_environment" ON "idempotency_keys" TO sightline_app USING ("idempotency_keys"."environment_id" = nullif(current_setting('sightline.environment_id', true), '')::bigint) WITH CHECK ("idempotency_keys"."environment_id" = nullif(current_setting('sightline.environment_id', true), '')::bigint);--> statement-breakpoint
ALTER POLICY "one_environment" ON "jobs" TO sightline_app USING ("jobs"."environment_id" = nullif(current_setting('sightline.environment_id', true), '')::bigint) WITH CHECK ("jobs"."environment_id" = nullif(current_setting('sightline.environment_id', true), '')::bigint);--> statement-breakpoint
ALTER POLICY "one_environment" ON "environment_settings" TO sightline_app USING ("environment_settings"."environment_id" = nullif(current_setting('sightline.environment_id', true), '')::bigint) WITH CHECK ("environment_settings"."environment_id" = nullif(current_setting('sightline.environment_id', true), '')::bigint);--> statement-breakpoint
ALTER POLICY "one_environment" ON "source_images" TO sightline_app USING ("source_images"."environment_id" = nullif(current_setting('sightline.environment_id', true), '')::bigint) WITH CHECK ("source_images"."environment_id" = nullif(current_setting('sightline.environment_id', true), '')::bigint);
--> statement-breakpoint
-- An identity that is being removed counts no more, although its row is still there.
CREATE FUNCTION identity_counts(type text, leaving_since timestamptz)
RETURNS TABLE (counter text, subject_id bigint, model_id bigint, amount bigint)
LANGUAGE sql IMMUTABLE AS $$
  SELECT type || '_identities', 0::bigint, 0::bigint, 1::bigint WHERE leaving_since IS NULL
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION count_identities() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO counter_deltas (environment_id, counter, subject_id, model_id, delta)
    SELECT r.environment_id, c.counter, c.subject_id, c.model_id, sum(c.amount)
    FROM new_rows r, identity_counts(r.type, r.leaving_since)
      AS c (counter, subject_id, model_id, amount)
    GROUP BY 1, 2, 3, 4;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO counter_deltas (environment_id, counter, subject_id, model_id, delta)
    SELECT r.environment_id, c.counter, c.subject_id, c.model_id, -sum(c.amount)
    FROM old_rows r, identity_counts(r.type, r.leaving_since)
      AS c (counter, subject_id, model_id, amount)
    GROUP BY 1, 2, 3, 4;
  ELSE
    INSERT INTO counter_deltas (environment_id, counter, subject_id, model_id, delta)
    SELECT r.environment_id, c.counter, c.subject_id, c.model_id, sum(r.sign * c.amount)
    FROM (SELECT 1 AS sign, * FROM new_rows UNION ALL SELECT -1, * FROM old_rows) r,
      identity_counts(r.type, r.leaving_since) AS c (counter, subject_id, model_id, amount)
    GROUP BY 1, 2, 3, 4 HAVING sum(r.sign * c.amount) <> 0;
  END IF;
  RETURN NULL;
END
$$;
--> statement-breakpoint
DROP FUNCTION identity_counts(text);
--> statement-breakpoint
-- Age in seconds of the oldest transaction that may still write to this database; 0 without one. The
-- function belongs to the owner: other roles do not see since when a transaction of another role is
-- open. An owner that is no superuser does not see it of all roles either. Then the first event after
-- that transaction tells how long events have been waiting for it.
CREATE FUNCTION horizon_age() RETURNS double precision
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT coalesce(max(extract(epoch FROM clock_timestamp() - open.since)), 0)::float8
  FROM (
    SELECT coalesce(a.xact_start, (
      SELECT o.created_at FROM outbox o
      WHERE o.xid > (SELECT xid FROM pg_snapshot_xip(pg_current_snapshot()) AS xid
                     WHERE xid::xid = l.transactionid)
      ORDER BY o.xid, o.id LIMIT 1)) AS since
    FROM pg_locks l JOIN pg_stat_activity a USING (pid)
    WHERE l.locktype = 'transactionid' AND l.granted AND l.mode = 'ExclusiveLock'
      AND a.datid = (SELECT oid FROM pg_database WHERE datname = current_database())
    UNION ALL
    SELECT prepared FROM pg_prepared_xacts WHERE database = current_database()
  ) AS open
$$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION horizon_age() FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION horizon_age() TO sightline_platform;
