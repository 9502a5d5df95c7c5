CREATE TABLE "activations" (
	"slot" text PRIMARY KEY NOT NULL,
	"model_id" bigint,
	"job_environment_id" bigint,
	"job_id" bigint,
	"former_id" bigint,
	"switched_at" timestamp (3) with time zone,
	"gave_way" text,
	CONSTRAINT "activations_slot" CHECK ("activations"."slot" in ('face', 'object'))
);
--> statement-breakpoint
DROP INDEX "models_active";--> statement-breakpoint
ALTER TABLE "activations" ADD CONSTRAINT "activations_model_id_models_id_fk" FOREIGN KEY ("model_id") REFERENCES "public"."models"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "activations" ADD CONSTRAINT "activations_former_id_models_id_fk" FOREIGN KEY ("former_id") REFERENCES "public"."models"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "activations" ADD CONSTRAINT "activations_job" FOREIGN KEY ("job_environment_id","job_id") REFERENCES "public"."jobs"("environment_id","id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "models_active" ON "models" USING btree ((CASE WHEN "task" = 'face' THEN 'face' ELSE 'object' END)) WHERE "models"."status" = 'active';--> statement-breakpoint
GRANT SELECT ON activations TO sightline_app;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON activations TO sightline_platform;
