CREATE TABLE "embedding_backlogs" (
	"environment_id" bigint NOT NULL,
	"model_id" bigint NOT NULL,
	"job_id" bigint NOT NULL,
	CONSTRAINT "embedding_backlogs_environment_id_model_id_pk" PRIMARY KEY("environment_id","model_id")
);
--> statement-breakpoint
ALTER TABLE "embedding_backlogs" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "models" DROP CONSTRAINT "models_status";--> statement-breakpoint
-- Active models stay active: otherwise any model that answers first would become the active one.
UPDATE models m SET status = 'active' FROM active_models a WHERE a.model_id = m.id AND a.task = m.task;
--> statement-breakpoint
ALTER TABLE "active_models" DISABLE ROW LEVEL SECURITY;--> statement-breakpoint
DROP TABLE "active_models" CASCADE;--> statement-breakpoint
-- The first contract of every event is version 1.
ALTER TABLE "outbox" ADD COLUMN "version" smallint DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "outbox" ALTER COLUMN "version" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "embedding_backlogs" ADD CONSTRAINT "embedding_backlogs_model_id_models_id_fk" FOREIGN KEY ("model_id") REFERENCES "public"."models"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "embedding_backlogs" ADD CONSTRAINT "embedding_backlogs_job" FOREIGN KEY ("environment_id","job_id") REFERENCES "public"."jobs"("environment_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "models_active" ON "models" USING btree ("task") WHERE "models"."status" = 'active';--> statement-breakpoint
ALTER TABLE "models" ADD CONSTRAINT "models_status" CHECK ("models"."status" in ('available', 'downloading', 'downloaded', 'loading', 'active', 'failed'));--> statement-breakpoint
CREATE POLICY "one_environment" ON "embedding_backlogs" AS PERMISSIVE FOR ALL TO "sightline_app" USING ("embedding_backlogs"."environment_id" = (select nullif(current_setting('sightline.environment_id', true), '')::bigint)) WITH CHECK ("embedding_backlogs"."environment_id" = (select nullif(current_setting('sightline.environment_id', true), '')::bigint));--> statement-breakpoint
CREATE POLICY "all_environments" ON "embedding_backlogs" AS PERMISSIVE FOR ALL TO "sightline_platform" USING (true) WITH CHECK (true);
--> statement-breakpoint
-- Matching asks whether enrolled faces still lack embeddings of the active model.
GRANT SELECT ON embedding_backlogs TO sightline_app;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON embedding_backlogs TO sightline_platform;
--> statement-breakpoint
-- Jobs that have not ended go on, and matching stays unavailable while they make enrolled faces.
UPDATE jobs SET params = (params - 'model_id') || jsonb_build_object('modelId', params -> 'model_id')
WHERE type = 'reembed' AND params ? 'model_id';
--> statement-breakpoint
INSERT INTO embedding_backlogs (environment_id, model_id, job_id)
SELECT environment_id, (params ->> 'modelId')::bigint, max(id) FROM jobs
WHERE type = 'reembed' AND status IN ('pending', 'running') AND params ->> 'faces' = 'enrolled'
GROUP BY 1, 2;
