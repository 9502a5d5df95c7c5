CREATE TABLE "job_items" (
	"environment_id" bigint NOT NULL,
	"job_id" bigint NOT NULL,
	"index" integer NOT NULL,
	"input" json NOT NULL,
	"upload_key" text,
	"state" text DEFAULT 'pending' NOT NULL,
	"deaths" smallint DEFAULT 0 NOT NULL,
	"result" json,
	"error" json,
	"token" uuid,
	"lease_until" timestamp (3) with time zone,
	"finished_at" timestamp (3) with time zone,
	CONSTRAINT "job_items_environment_id_job_id_index_pk" PRIMARY KEY("environment_id","job_id","index"),
	CONSTRAINT "job_items_state" CHECK ("job_items"."state" in ('pending', 'running', 'done', 'failed'))
);
--> statement-breakpoint
ALTER TABLE "job_items" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "job_turns" (
	"environment_id" bigint PRIMARY KEY NOT NULL,
	"served_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "job_turns" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "is_pruned" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "listed_to" bigint;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "served_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "rests_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "moved_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "job_items" ADD CONSTRAINT "job_items_job" FOREIGN KEY ("environment_id","job_id") REFERENCES "public"."jobs"("environment_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "job_turns" ADD CONSTRAINT "job_turns_environment_id_environments_id_fk" FOREIGN KEY ("environment_id") REFERENCES "public"."environments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "job_items_pending" ON "job_items" USING btree ("environment_id","job_id","index") WHERE "job_items"."state" = 'pending';--> statement-breakpoint
CREATE INDEX "job_items_running" ON "job_items" USING btree ("lease_until") WHERE "job_items"."state" = 'running';--> statement-breakpoint
CREATE UNIQUE INDEX "job_items_upload_key" ON "job_items" USING btree ("upload_key") WHERE "job_items"."upload_key" is not null;--> statement-breakpoint
CREATE INDEX "jobs_failed_reembeds" ON "jobs" USING btree ("environment_id","id") WHERE "jobs"."type" = 'reembed' and ("jobs"."status" = 'failed' or "jobs"."status" = 'done' and "jobs"."done" = 0 and "jobs"."failed" > 0);--> statement-breakpoint
CREATE INDEX "jobs_to_prune" ON "jobs" USING btree ("finished_at") WHERE not "jobs"."is_pruned" and "jobs"."finished_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "jobs_results_key" ON "jobs" USING btree ("results_key") WHERE "jobs"."results_key" is not null;--> statement-breakpoint
ALTER TABLE "jobs" DROP COLUMN "token";--> statement-breakpoint
ALTER TABLE "jobs" DROP COLUMN "lease_until";--> statement-breakpoint
CREATE POLICY "one_environment" ON "job_items" AS PERMISSIVE FOR ALL TO "sightline_app" USING ("job_items"."environment_id" = nullif(current_setting('sightline.environment_id', true), '')::bigint) WITH CHECK ("job_items"."environment_id" = nullif(current_setting('sightline.environment_id', true), '')::bigint);--> statement-breakpoint
CREATE POLICY "all_environments" ON "job_items" AS PERMISSIVE FOR ALL TO "sightline_platform" USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "one_environment" ON "job_turns" AS PERMISSIVE FOR ALL TO "sightline_app" USING ("job_turns"."environment_id" = nullif(current_setting('sightline.environment_id', true), '')::bigint) WITH CHECK ("job_turns"."environment_id" = nullif(current_setting('sightline.environment_id', true), '')::bigint);--> statement-breakpoint
CREATE POLICY "all_environments" ON "job_turns" AS PERMISSIVE FOR ALL TO "sightline_platform" USING (true) WITH CHECK (true);
--> statement-breakpoint
-- A request makes a job in the transaction that stores what it needs, and an item ends in that of its
-- effect. The last item of enrolled faces lets matching go on.
GRANT INSERT, UPDATE, DELETE ON jobs TO sightline_app;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON job_items TO sightline_app;
--> statement-breakpoint
GRANT DELETE ON embedding_backlogs TO sightline_app;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON job_items, job_turns TO sightline_platform;
--> statement-breakpoint
ALTER TABLE job_items SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
--> statement-breakpoint
ALTER TABLE job_turns SET (fillfactor = 60);
--> statement-breakpoint
UPDATE jobs SET is_pruned = true WHERE status IN ('done', 'failed');
--> statement-breakpoint
-- What has not ended goes on with the images that are left: their items are made anew.
UPDATE jobs SET status = 'pending', listed_to = 0, total = greatest(total - done - failed, 0),
  done = 0, failed = 0
WHERE type = 'reembed' AND status IN ('pending', 'running');
