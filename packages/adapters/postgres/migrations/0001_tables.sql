CREATE TABLE "detections" (
	"environment_id" bigint NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "detections_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"source_image_id" bigint NOT NULL,
	"type" text NOT NULL,
	"bbox_x" double precision NOT NULL,
	"bbox_y" double precision NOT NULL,
	"bbox_w" double precision NOT NULL,
	"bbox_h" double precision NOT NULL,
	"confidence" double precision NOT NULL,
	"quality" double precision,
	"landmarks" double precision[],
	"class_id" integer,
	"class_name" text,
	"identity_id" bigint,
	"similarity" double precision,
	"review_status" text NOT NULL,
	"decided_by" text NOT NULL,
	"is_manual" boolean NOT NULL,
	"embedding_source" text,
	"age" smallint,
	"gender" text,
	"pose" double precision[],
	"crop_key" text NOT NULL,
	"crop_bytes" integer NOT NULL,
	"dismissed_at" timestamp (3) with time zone,
	"mismatch_reviewed" boolean DEFAULT false NOT NULL,
	"detected_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "detections_environment_id_id_pk" PRIMARY KEY("environment_id","id"),
	CONSTRAINT "detections_crop_key" UNIQUE("crop_key"),
	CONSTRAINT "detections_type" CHECK ("detections"."type" in ('face', 'object')),
	CONSTRAINT "detections_review_status" CHECK ("detections"."review_status" in ('pending', 'confirmed', 'rejected')),
	CONSTRAINT "detections_decided_by" CHECK ("detections"."decided_by" in ('automatic', 'human')),
	CONSTRAINT "detections_embedding_source" CHECK ("detections"."embedding_source" in ('aligned', 'box')),
	CONSTRAINT "detections_gender" CHECK ("detections"."gender" in ('M', 'F')),
	CONSTRAINT "detections_landmarks" CHECK (cardinality("detections"."landmarks") = 10),
	CONSTRAINT "detections_pose" CHECK (cardinality("detections"."pose") = 3),
	CONSTRAINT "detections_rejected_from_nobody" CHECK ("detections"."review_status" <> 'rejected' or "detections"."identity_id" is null)
);
--> statement-breakpoint
ALTER TABLE "detections" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "environments" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "environments_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"owner_id" text,
	"name" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "environments_owner_name" UNIQUE NULLS NOT DISTINCT("owner_id","name")
);
--> statement-breakpoint
ALTER TABLE "environments" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "keys" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "keys_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"environment_id" bigint NOT NULL,
	"label" text NOT NULL,
	"right" text NOT NULL,
	"is_admin" boolean NOT NULL,
	"prefix" text NOT NULL,
	"hash" "bytea" NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	"last_used_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "keys_hash" UNIQUE("hash"),
	CONSTRAINT "keys_right" CHECK ("keys"."right" in ('full', 'read')),
	CONSTRAINT "keys_hash_length" CHECK (octet_length("keys"."hash") = 32)
);
--> statement-breakpoint
ALTER TABLE "keys" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "identities" (
	"environment_id" bigint NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "identities_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"type" text NOT NULL,
	"label" text COLLATE "C" NOT NULL,
	"external_ref" text,
	"cover_detection_id" bigint,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "identities_environment_id_id_pk" PRIMARY KEY("environment_id","id"),
	CONSTRAINT "identities_label" UNIQUE("environment_id","type","label"),
	CONSTRAINT "identities_type" CHECK ("identities"."type" in ('face', 'object'))
);
--> statement-breakpoint
ALTER TABLE "identities" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "face_references" (
	"environment_id" bigint NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "face_references_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"identity_id" bigint NOT NULL,
	"detection_id" bigint NOT NULL,
	"model_id" bigint NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "face_references_environment_id_id_pk" PRIMARY KEY("environment_id","id"),
	CONSTRAINT "face_references_vector" UNIQUE("environment_id","detection_id","model_id")
);
--> statement-breakpoint
ALTER TABLE "face_references" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "face_vectors" (
	"environment_id" bigint NOT NULL,
	"detection_id" bigint NOT NULL,
	"model_id" bigint NOT NULL,
	"vector" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "face_vectors_environment_id_detection_id_model_id_pk" PRIMARY KEY("environment_id","detection_id","model_id")
);
--> statement-breakpoint
ALTER TABLE "face_vectors" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "identity_means" (
	"environment_id" bigint NOT NULL,
	"identity_id" bigint NOT NULL,
	"model_id" bigint NOT NULL,
	"reference_count" integer NOT NULL,
	"sum" "bytea" NOT NULL,
	"mean" "bytea",
	CONSTRAINT "identity_means_environment_id_identity_id_model_id_pk" PRIMARY KEY("environment_id","identity_id","model_id"),
	CONSTRAINT "identity_means_count" CHECK ("identity_means"."reference_count" > 0)
);
--> statement-breakpoint
ALTER TABLE "identity_means" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "rejected_pairs" (
	"environment_id" bigint NOT NULL,
	"detection_id" bigint NOT NULL,
	"identity_id" bigint NOT NULL,
	"rejected_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"sequence" bigint GENERATED ALWAYS AS IDENTITY (sequence name "rejected_pairs_sequence_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	CONSTRAINT "rejected_pairs_environment_id_detection_id_identity_id_pk" PRIMARY KEY("environment_id","detection_id","identity_id")
);
--> statement-breakpoint
ALTER TABLE "rejected_pairs" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "suggestions" (
	"environment_id" bigint NOT NULL,
	"detection_id" bigint NOT NULL,
	"model_id" bigint NOT NULL,
	"identity_id" bigint NOT NULL,
	"similarity" double precision NOT NULL,
	CONSTRAINT "suggestions_environment_id_detection_id_model_id_identity_id_pk" PRIMARY KEY("environment_id","detection_id","model_id","identity_id")
);
--> statement-breakpoint
ALTER TABLE "suggestions" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "active_models" (
	"task" text PRIMARY KEY NOT NULL,
	"model_id" bigint NOT NULL,
	"activated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "models" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "models_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"digest" "bytea" NOT NULL,
	"task" text NOT NULL,
	"version" text NOT NULL,
	"license" text NOT NULL,
	"commercial_use" boolean NOT NULL,
	"provides" text[] NOT NULL,
	"embedding_dim" integer,
	"classes" text[] NOT NULL,
	"similarity_calibration" jsonb,
	"source_url" text,
	"size_bytes" bigint,
	"status" text NOT NULL,
	"error" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "models_digest" UNIQUE("name","digest"),
	CONSTRAINT "models_task" CHECK ("models"."task" in ('face', 'object', 'open_vocabulary')),
	CONSTRAINT "models_status" CHECK ("models"."status" in ('available', 'downloading', 'downloaded', 'failed'))
);
--> statement-breakpoint
CREATE TABLE "outbox" (
	"xid" "xid8" DEFAULT pg_current_xact_id() NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "outbox_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"environment_id" bigint NOT NULL,
	"event_id" uuid DEFAULT uuidv7() NOT NULL,
	"event" text NOT NULL,
	"data" json NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "outbox_xid_id_pk" PRIMARY KEY("xid","id")
);
--> statement-breakpoint
ALTER TABLE "outbox" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "counter_deltas" (
	"environment_id" bigint NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "counter_deltas_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"counter" text NOT NULL,
	"subject_id" bigint NOT NULL,
	"model_id" bigint NOT NULL,
	"delta" bigint NOT NULL,
	CONSTRAINT "counter_deltas_environment_id_id_pk" PRIMARY KEY("environment_id","id")
);
--> statement-breakpoint
ALTER TABLE "counter_deltas" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "vector_changes" (
	"environment_id" bigint NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "vector_changes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"model_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"entity_id" bigint NOT NULL,
	CONSTRAINT "vector_changes_environment_id_id_pk" PRIMARY KEY("environment_id","id"),
	CONSTRAINT "vector_changes_kind" CHECK ("vector_changes"."kind" in ('faces', 'references', 'means'))
);
--> statement-breakpoint
ALTER TABLE "vector_changes" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "audit" (
	"environment_id" bigint NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "audit_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"key_id" bigint,
	"action" text NOT NULL,
	"entity_type" text NOT NULL,
	"entity_id" bigint,
	"details" jsonb NOT NULL,
	CONSTRAINT "audit_environment_id_id_pk" PRIMARY KEY("environment_id","id")
);
--> statement-breakpoint
ALTER TABLE "audit" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"environment_id" bigint NOT NULL,
	"key" text NOT NULL,
	"fingerprint" "bytea" NOT NULL,
	"token" uuid NOT NULL,
	"lease_until" timestamp (3) with time zone NOT NULL,
	"status" smallint,
	"body" json,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "idempotency_keys_environment_id_key_pk" PRIMARY KEY("environment_id","key")
);
--> statement-breakpoint
ALTER TABLE "idempotency_keys" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "jobs" (
	"environment_id" bigint NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "jobs_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"type" text NOT NULL,
	"status" text NOT NULL,
	"total" integer NOT NULL,
	"done" integer DEFAULT 0 NOT NULL,
	"failed" integer DEFAULT 0 NOT NULL,
	"params" jsonb NOT NULL,
	"error" text,
	"results_key" text,
	"token" uuid,
	"lease_until" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"started_at" timestamp (3) with time zone,
	"finished_at" timestamp (3) with time zone,
	CONSTRAINT "jobs_environment_id_id_pk" PRIMARY KEY("environment_id","id"),
	CONSTRAINT "jobs_status" CHECK ("jobs"."status" in ('pending', 'running', 'done', 'failed'))
);
--> statement-breakpoint
ALTER TABLE "jobs" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "environment_settings" (
	"environment_id" bigint NOT NULL,
	"key" text NOT NULL,
	"value" jsonb NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "environment_settings_environment_id_key_pk" PRIMARY KEY("environment_id","key")
);
--> statement-breakpoint
ALTER TABLE "environment_settings" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "system_settings" (
	"key" text PRIMARY KEY NOT NULL,
	"value" jsonb NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "source_images" (
	"environment_id" bigint NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "source_images_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"digest" "bytea" NOT NULL,
	"size_bytes" bigint NOT NULL,
	"format" text NOT NULL,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	"stored_width" integer NOT NULL,
	"stored_height" integer NOT NULL,
	"media_key" text NOT NULL,
	"media_bytes" bigint NOT NULL,
	"original_key" text,
	"external_ref" text,
	"uploaded_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "source_images_environment_id_id_pk" PRIMARY KEY("environment_id","id"),
	CONSTRAINT "source_images_digest" UNIQUE("environment_id","digest"),
	CONSTRAINT "source_images_media_key" UNIQUE("media_key"),
	CONSTRAINT "source_images_digest_length" CHECK (octet_length("source_images"."digest") = 32)
);
--> statement-breakpoint
ALTER TABLE "source_images" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "detections" ADD CONSTRAINT "detections_source_image" FOREIGN KEY ("environment_id","source_image_id") REFERENCES "public"."source_images"("environment_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "detections" ADD CONSTRAINT "detections_identity" FOREIGN KEY ("environment_id","identity_id") REFERENCES "public"."identities"("environment_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "keys" ADD CONSTRAINT "keys_environment_id_environments_id_fk" FOREIGN KEY ("environment_id") REFERENCES "public"."environments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identities" ADD CONSTRAINT "identities_environment_id_environments_id_fk" FOREIGN KEY ("environment_id") REFERENCES "public"."environments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "face_references" ADD CONSTRAINT "face_references_vector_fk" FOREIGN KEY ("environment_id","detection_id","model_id") REFERENCES "public"."face_vectors"("environment_id","detection_id","model_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "face_references" ADD CONSTRAINT "face_references_identity" FOREIGN KEY ("environment_id","identity_id") REFERENCES "public"."identities"("environment_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "face_vectors" ADD CONSTRAINT "face_vectors_model_id_models_id_fk" FOREIGN KEY ("model_id") REFERENCES "public"."models"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "face_vectors" ADD CONSTRAINT "face_vectors_detection" FOREIGN KEY ("environment_id","detection_id") REFERENCES "public"."detections"("environment_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity_means" ADD CONSTRAINT "identity_means_model_id_models_id_fk" FOREIGN KEY ("model_id") REFERENCES "public"."models"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity_means" ADD CONSTRAINT "identity_means_identity" FOREIGN KEY ("environment_id","identity_id") REFERENCES "public"."identities"("environment_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rejected_pairs" ADD CONSTRAINT "rejected_pairs_detection" FOREIGN KEY ("environment_id","detection_id") REFERENCES "public"."detections"("environment_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rejected_pairs" ADD CONSTRAINT "rejected_pairs_identity" FOREIGN KEY ("environment_id","identity_id") REFERENCES "public"."identities"("environment_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "suggestions" ADD CONSTRAINT "suggestions_detection" FOREIGN KEY ("environment_id","detection_id") REFERENCES "public"."detections"("environment_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "suggestions" ADD CONSTRAINT "suggestions_identity" FOREIGN KEY ("environment_id","identity_id") REFERENCES "public"."identities"("environment_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "active_models" ADD CONSTRAINT "active_models_model_id_models_id_fk" FOREIGN KEY ("model_id") REFERENCES "public"."models"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_environment" FOREIGN KEY ("environment_id") REFERENCES "public"."environments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "environment_settings" ADD CONSTRAINT "environment_settings_environment_id_environments_id_fk" FOREIGN KEY ("environment_id") REFERENCES "public"."environments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "source_images" ADD CONSTRAINT "source_images_environment_id_environments_id_fk" FOREIGN KEY ("environment_id") REFERENCES "public"."environments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "detections_of_source" ON "detections" USING btree ("environment_id","source_image_id","id");--> statement-breakpoint
CREATE INDEX "detections_of_identity" ON "detections" USING btree ("environment_id","identity_id","detected_at","id") WHERE "detections"."identity_id" is not null;--> statement-breakpoint
CREATE INDEX "detections_review_queue" ON "detections" USING btree ("environment_id","confidence","id") WHERE "detections"."type" = 'face' and "detections"."review_status" = 'pending' and "detections"."dismissed_at" is null;--> statement-breakpoint
CREATE INDEX "detections_unknown" ON "detections" USING btree ("environment_id","detected_at","id") WHERE "detections"."type" = 'face' and "detections"."identity_id" is null;--> statement-breakpoint
CREATE INDEX "keys_prefix" ON "keys" USING btree ("prefix");--> statement-breakpoint
CREATE INDEX "identities_list" ON "identities" USING btree ("environment_id","label","type","id");--> statement-breakpoint
CREATE INDEX "identities_external_ref" ON "identities" USING btree ("environment_id","external_ref");--> statement-breakpoint
CREATE INDEX "identities_cover" ON "identities" USING btree ("environment_id","cover_detection_id") WHERE "identities"."cover_detection_id" is not null;--> statement-breakpoint
CREATE INDEX "identities_name" ON "identities" USING gin (lower("label" collate "pg_unicode_fast") gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "face_references_of_identity" ON "face_references" USING btree ("environment_id","identity_id","id");--> statement-breakpoint
CREATE INDEX "rejected_pairs_of_identity" ON "rejected_pairs" USING btree ("environment_id","identity_id");--> statement-breakpoint
CREATE INDEX "suggestions_of_identity" ON "suggestions" USING btree ("environment_id","identity_id");--> statement-breakpoint
CREATE INDEX "counter_deltas_of_counter" ON "counter_deltas" USING btree ("environment_id","counter","subject_id","model_id");--> statement-breakpoint
CREATE INDEX "vector_changes_of_space" ON "vector_changes" USING btree ("environment_id","model_id","kind","entity_id");--> statement-breakpoint
CREATE INDEX "audit_at" ON "audit" USING btree ("environment_id","at","id");--> statement-breakpoint
CREATE INDEX "idempotency_keys_created" ON "idempotency_keys" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "jobs_unfinished" ON "jobs" USING btree ("id") WHERE "jobs"."status" in ('pending', 'running');--> statement-breakpoint
CREATE INDEX "source_images_external_ref" ON "source_images" USING btree ("environment_id","external_ref");--> statement-breakpoint
CREATE INDEX "source_images_uploaded" ON "source_images" USING btree ("environment_id","uploaded_at","id");--> statement-breakpoint
CREATE POLICY "one_environment" ON "detections" AS PERMISSIVE FOR ALL TO "sightline_app" USING ("detections"."environment_id" = (select nullif(current_setting('sightline.environment_id', true), '')::bigint)) WITH CHECK ("detections"."environment_id" = (select nullif(current_setting('sightline.environment_id', true), '')::bigint));--> statement-breakpoint
CREATE POLICY "all_environments" ON "detections" AS PERMISSIVE FOR ALL TO "sightline_platform" USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "one_environment" ON "environments" AS PERMISSIVE FOR ALL TO "sightline_app" USING ("environments"."id" = (select nullif(current_setting('sightline.environment_id', true), '')::bigint)) WITH CHECK ("environments"."id" = (select nullif(current_setting('sightline.environment_id', true), '')::bigint));--> statement-breakpoint
CREATE POLICY "all_environments" ON "environments" AS PERMISSIVE FOR ALL TO "sightline_platform" USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "all_environments" ON "keys" AS PERMISSIVE FOR ALL TO "sightline_platform" USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "one_environment" ON "identities" AS PERMISSIVE FOR ALL TO "sightline_app" USING ("identities"."environment_id" = (select nullif(current_setting('sightline.environment_id', true), '')::bigint)) WITH CHECK ("identities"."environment_id" = (select nullif(current_setting('sightline.environment_id', true), '')::bigint));--> statement-breakpoint
CREATE POLICY "all_environments" ON "identities" AS PERMISSIVE FOR ALL TO "sightline_platform" USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "one_environment" ON "face_references" AS PERMISSIVE FOR ALL TO "sightline_app" USING ("face_references"."environment_id" = (select nullif(current_setting('sightline.environment_id', true), '')::bigint)) WITH CHECK ("face_references"."environment_id" = (select nullif(current_setting('sightline.environment_id', true), '')::bigint));--> statement-breakpoint
CREATE POLICY "all_environments" ON "face_references" AS PERMISSIVE FOR ALL TO "sightline_platform" USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "one_environment" ON "face_vectors" AS PERMISSIVE FOR ALL TO "sightline_app" USING ("face_vectors"."environment_id" = (select nullif(current_setting('sightline.environment_id', true), '')::bigint)) WITH CHECK ("face_vectors"."environment_id" = (select nullif(current_setting('sightline.environment_id', true), '')::bigint));--> statement-breakpoint
CREATE POLICY "all_environments" ON "face_vectors" AS PERMISSIVE FOR ALL TO "sightline_platform" USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "one_environment" ON "identity_means" AS PERMISSIVE FOR ALL TO "sightline_app" USING ("identity_means"."environment_id" = (select nullif(current_setting('sightline.environment_id', true), '')::bigint)) WITH CHECK ("identity_means"."environment_id" = (select nullif(current_setting('sightline.environment_id', true), '')::bigint));--> statement-breakpoint
CREATE POLICY "all_environments" ON "identity_means" AS PERMISSIVE FOR ALL TO "sightline_platform" USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "one_environment" ON "rejected_pairs" AS PERMISSIVE FOR ALL TO "sightline_app" USING ("rejected_pairs"."environment_id" = (select nullif(current_setting('sightline.environment_id', true), '')::bigint)) WITH CHECK ("rejected_pairs"."environment_id" = (select nullif(current_setting('sightline.environment_id', true), '')::bigint));--> statement-breakpoint
CREATE POLICY "all_environments" ON "rejected_pairs" AS PERMISSIVE FOR ALL TO "sightline_platform" USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "one_environment" ON "suggestions" AS PERMISSIVE FOR ALL TO "sightline_app" USING ("suggestions"."environment_id" = (select nullif(current_setting('sightline.environment_id', true), '')::bigint)) WITH CHECK ("suggestions"."environment_id" = (select nullif(current_setting('sightline.environment_id', true), '')::bigint));--> statement-breakpoint
CREATE POLICY "all_environments" ON "suggestions" AS PERMISSIVE FOR ALL TO "sightline_platform" USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "one_environment" ON "outbox" AS PERMISSIVE FOR ALL TO "sightline_app" USING ("outbox"."environment_id" = (select nullif(current_setting('sightline.environment_id', true), '')::bigint)) WITH CHECK ("outbox"."environment_id" = (select nullif(current_setting('sightline.environment_id', true), '')::bigint));--> statement-breakpoint
CREATE POLICY "all_environments" ON "outbox" AS PERMISSIVE FOR ALL TO "sightline_platform" USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "one_environment" ON "counter_deltas" AS PERMISSIVE FOR ALL TO "sightline_app" USING ("counter_deltas"."environment_id" = (select nullif(current_setting('sightline.environment_id', true), '')::bigint)) WITH CHECK ("counter_deltas"."environment_id" = (select nullif(current_setting('sightline.environment_id', true), '')::bigint));--> statement-breakpoint
CREATE POLICY "all_environments" ON "counter_deltas" AS PERMISSIVE FOR ALL TO "sightline_platform" USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "one_environment" ON "vector_changes" AS PERMISSIVE FOR ALL TO "sightline_app" USING ("vector_changes"."environment_id" = (select nullif(current_setting('sightline.environment_id', true), '')::bigint)) WITH CHECK ("vector_changes"."environment_id" = (select nullif(current_setting('sightline.environment_id', true), '')::bigint));--> statement-breakpoint
CREATE POLICY "all_environments" ON "vector_changes" AS PERMISSIVE FOR ALL TO "sightline_platform" USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "one_environment" ON "audit" AS PERMISSIVE FOR ALL TO "sightline_app" USING ("audit"."environment_id" = (select nullif(current_setting('sightline.environment_id', true), '')::bigint)) WITH CHECK ("audit"."environment_id" = (select nullif(current_setting('sightline.environment_id', true), '')::bigint));--> statement-breakpoint
CREATE POLICY "all_environments" ON "audit" AS PERMISSIVE FOR ALL TO "sightline_platform" USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "one_environment" ON "idempotency_keys" AS PERMISSIVE FOR ALL TO "sightline_app" USING ("idempotency_keys"."environment_id" = (select nullif(current_setting('sightline.environment_id', true), '')::bigint)) WITH CHECK ("idempotency_keys"."environment_id" = (select nullif(current_setting('sightline.environment_id', true), '')::bigint));--> statement-breakpoint
CREATE POLICY "all_environments" ON "idempotency_keys" AS PERMISSIVE FOR ALL TO "sightline_platform" USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "one_environment" ON "jobs" AS PERMISSIVE FOR ALL TO "sightline_app" USING ("jobs"."environment_id" = (select nullif(current_setting('sightline.environment_id', true), '')::bigint)) WITH CHECK ("jobs"."environment_id" = (select nullif(current_setting('sightline.environment_id', true), '')::bigint));--> statement-breakpoint
CREATE POLICY "all_environments" ON "jobs" AS PERMISSIVE FOR ALL TO "sightline_platform" USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "one_environment" ON "environment_settings" AS PERMISSIVE FOR ALL TO "sightline_app" USING ("environment_settings"."environment_id" = (select nullif(current_setting('sightline.environment_id', true), '')::bigint)) WITH CHECK ("environment_settings"."environment_id" = (select nullif(current_setting('sightline.environment_id', true), '')::bigint));--> statement-breakpoint
CREATE POLICY "all_environments" ON "environment_settings" AS PERMISSIVE FOR ALL TO "sightline_platform" USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "one_environment" ON "source_images" AS PERMISSIVE FOR ALL TO "sightline_app" USING ("source_images"."environment_id" = (select nullif(current_setting('sightline.environment_id', true), '')::bigint)) WITH CHECK ("source_images"."environment_id" = (select nullif(current_setting('sightline.environment_id', true), '')::bigint));--> statement-breakpoint
CREATE POLICY "all_environments" ON "source_images" AS PERMISSIVE FOR ALL TO "sightline_platform" USING (true) WITH CHECK (true);