CREATE TABLE "consumer_places" (
	"environment_id" bigint NOT NULL,
	"consumer" text NOT NULL,
	"xid" "xid8" NOT NULL,
	"id" bigint NOT NULL,
	CONSTRAINT "consumer_places_environment_id_consumer_pk" PRIMARY KEY("environment_id","consumer")
);
--> statement-breakpoint
ALTER TABLE "consumer_places" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "feed_entries" (
	"environment_id" bigint NOT NULL,
	"id" bigint NOT NULL,
	"event_id" uuid NOT NULL,
	"entity_type" text NOT NULL,
	"entity_id" bigint NOT NULL,
	"action" text NOT NULL,
	"external_ref" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "feed_entries_environment_id_id_pk" PRIMARY KEY("environment_id","id")
);
--> statement-breakpoint
ALTER TABLE "feed_entries" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "feed_heads" (
	"environment_id" bigint PRIMARY KEY NOT NULL,
	"last_id" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "feed_heads" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "relay_positions" (
	"topic" text PRIMARY KEY NOT NULL,
	"xid" "xid8" NOT NULL,
	"id" bigint NOT NULL,
	"moved_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhook_attempts" (
	"environment_id" bigint NOT NULL,
	"webhook_id" bigint NOT NULL,
	"xid" "xid8" NOT NULL,
	"id" bigint NOT NULL,
	"attempt" smallint DEFAULT 1 NOT NULL,
	"due_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "webhook_attempts_environment_id_webhook_id_xid_id_pk" PRIMARY KEY("environment_id","webhook_id","xid","id")
);
--> statement-breakpoint
ALTER TABLE "webhook_attempts" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"environment_id" bigint NOT NULL,
	"webhook_id" bigint NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "webhook_deliveries_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"event_id" uuid NOT NULL,
	"event" text NOT NULL,
	"attempt" smallint NOT NULL,
	"status_code" smallint,
	"ok" boolean NOT NULL,
	"duration_ms" integer NOT NULL,
	"error" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"next_attempt_at" timestamp (3) with time zone,
	CONSTRAINT "webhook_deliveries_environment_id_webhook_id_id_pk" PRIMARY KEY("environment_id","webhook_id","id"),
	CONSTRAINT "webhook_deliveries_attempt" CHECK ("webhook_deliveries"."attempt" > 0)
);
--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "webhook_messages" (
	"environment_id" bigint NOT NULL,
	"xid" "xid8" NOT NULL,
	"id" bigint NOT NULL,
	"event_id" uuid NOT NULL,
	"event" text NOT NULL,
	"body" "bytea" NOT NULL,
	CONSTRAINT "webhook_messages_environment_id_xid_id_pk" PRIMARY KEY("environment_id","xid","id")
);
--> statement-breakpoint
ALTER TABLE "webhook_messages" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "webhook_turns" (
	"environment_id" bigint NOT NULL,
	"webhook_id" bigint NOT NULL,
	"due_at" timestamp (3) with time zone,
	"token" uuid,
	"lease_until" timestamp (3) with time zone,
	"failing_since" timestamp (3) with time zone,
	"failures" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "webhook_turns_environment_id_webhook_id_pk" PRIMARY KEY("environment_id","webhook_id")
);
--> statement-breakpoint
ALTER TABLE "webhook_turns" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "webhooks" (
	"environment_id" bigint NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "webhooks_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"url" text NOT NULL,
	"events" text[] NOT NULL,
	"label" text,
	"is_active" boolean DEFAULT true NOT NULL,
	"disabled_reason" text,
	"is_setting" boolean DEFAULT false NOT NULL,
	"secret" "bytea",
	"former_secret" "bytea",
	"secret_changed_at" timestamp (3) with time zone,
	"active_from" "pg_snapshot" DEFAULT pg_current_snapshot() NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "webhooks_environment_id_id_pk" PRIMARY KEY("environment_id","id")
);
--> statement-breakpoint
ALTER TABLE "webhooks" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "installation" ADD COLUMN "outbox_epoch" uuid DEFAULT gen_random_uuid() NOT NULL;--> statement-breakpoint
ALTER TABLE "installation" ADD COLUMN "secret_key_check" "bytea";--> statement-breakpoint
ALTER TABLE "consumer_places" ADD CONSTRAINT "consumer_places_environment_id_environments_id_fk" FOREIGN KEY ("environment_id") REFERENCES "public"."environments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "feed_heads" ADD CONSTRAINT "feed_heads_environment_id_environments_id_fk" FOREIGN KEY ("environment_id") REFERENCES "public"."environments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_webhook" FOREIGN KEY ("environment_id","webhook_id") REFERENCES "public"."webhooks"("environment_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_message" FOREIGN KEY ("environment_id","xid","id") REFERENCES "public"."webhook_messages"("environment_id","xid","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_webhook" FOREIGN KEY ("environment_id","webhook_id") REFERENCES "public"."webhooks"("environment_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_turns" ADD CONSTRAINT "webhook_turns_webhook" FOREIGN KEY ("environment_id","webhook_id") REFERENCES "public"."webhooks"("environment_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_environment_id_environments_id_fk" FOREIGN KEY ("environment_id") REFERENCES "public"."environments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "webhook_attempts_message" ON "webhook_attempts" USING btree ("environment_id","xid","id");--> statement-breakpoint
CREATE INDEX "webhook_attempts_first" ON "webhook_attempts" USING btree ("environment_id","webhook_id","xid","id") WHERE "webhook_attempts"."attempt" = 1;--> statement-breakpoint
CREATE INDEX "webhook_attempts_repeated" ON "webhook_attempts" USING btree ("environment_id","webhook_id","due_at") WHERE "webhook_attempts"."attempt" > 1;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_age" ON "webhook_deliveries" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "webhook_turns_due" ON "webhook_turns" USING btree ("due_at");--> statement-breakpoint
CREATE UNIQUE INDEX "webhooks_setting" ON "webhooks" USING btree ("environment_id") WHERE "webhooks"."is_setting";--> statement-breakpoint
CREATE INDEX "outbox_by_environment" ON "outbox" USING btree ("environment_id","xid","id");--> statement-breakpoint
CREATE POLICY "one_environment" ON "consumer_places" AS PERMISSIVE FOR ALL TO "sightline_app" USING ("consumer_places"."environment_id" = nullif(current_setting('sightline.environment_id', true), '')::bigint) WITH CHECK ("consumer_places"."environment_id" = nullif(current_setting('sightline.environment_id', true), '')::bigint);--> statement-breakpoint
CREATE POLICY "all_environments" ON "consumer_places" AS PERMISSIVE FOR ALL TO "sightline_platform" USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "one_environment" ON "feed_entries" AS PERMISSIVE FOR ALL TO "sightline_app" USING ("feed_entries"."environment_id" = nullif(current_setting('sightline.environment_id', true), '')::bigint) WITH CHECK ("feed_entries"."environment_id" = nullif(current_setting('sightline.environment_id', true), '')::bigint);--> statement-breakpoint
CREATE POLICY "all_environments" ON "feed_entries" AS PERMISSIVE FOR ALL TO "sightline_platform" USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "one_environment" ON "feed_heads" AS PERMISSIVE FOR ALL TO "sightline_app" USING ("feed_heads"."environment_id" = nullif(current_setting('sightline.environment_id', true), '')::bigint) WITH CHECK ("feed_heads"."environment_id" = nullif(current_setting('sightline.environment_id', true), '')::bigint);--> statement-breakpoint
CREATE POLICY "all_environments" ON "feed_heads" AS PERMISSIVE FOR ALL TO "sightline_platform" USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "one_environment" ON "webhook_attempts" AS PERMISSIVE FOR ALL TO "sightline_app" USING ("webhook_attempts"."environment_id" = nullif(current_setting('sightline.environment_id', true), '')::bigint) WITH CHECK ("webhook_attempts"."environment_id" = nullif(current_setting('sightline.environment_id', true), '')::bigint);--> statement-breakpoint
CREATE POLICY "all_environments" ON "webhook_attempts" AS PERMISSIVE FOR ALL TO "sightline_platform" USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "one_environment" ON "webhook_deliveries" AS PERMISSIVE FOR ALL TO "sightline_app" USING ("webhook_deliveries"."environment_id" = nullif(current_setting('sightline.environment_id', true), '')::bigint) WITH CHECK ("webhook_deliveries"."environment_id" = nullif(current_setting('sightline.environment_id', true), '')::bigint);--> statement-breakpoint
CREATE POLICY "all_environments" ON "webhook_deliveries" AS PERMISSIVE FOR ALL TO "sightline_platform" USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "one_environment" ON "webhook_messages" AS PERMISSIVE FOR ALL TO "sightline_app" USING ("webhook_messages"."environment_id" = nullif(current_setting('sightline.environment_id', true), '')::bigint) WITH CHECK ("webhook_messages"."environment_id" = nullif(current_setting('sightline.environment_id', true), '')::bigint);--> statement-breakpoint
CREATE POLICY "all_environments" ON "webhook_messages" AS PERMISSIVE FOR ALL TO "sightline_platform" USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "one_environment" ON "webhook_turns" AS PERMISSIVE FOR ALL TO "sightline_app" USING ("webhook_turns"."environment_id" = nullif(current_setting('sightline.environment_id', true), '')::bigint) WITH CHECK ("webhook_turns"."environment_id" = nullif(current_setting('sightline.environment_id', true), '')::bigint);--> statement-breakpoint
CREATE POLICY "all_environments" ON "webhook_turns" AS PERMISSIVE FOR ALL TO "sightline_platform" USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "one_environment" ON "webhooks" AS PERMISSIVE FOR ALL TO "sightline_app" USING ("webhooks"."environment_id" = nullif(current_setting('sightline.environment_id', true), '')::bigint) WITH CHECK ("webhooks"."environment_id" = nullif(current_setting('sightline.environment_id', true), '')::bigint);--> statement-breakpoint
CREATE POLICY "all_environments" ON "webhooks" AS PERMISSIVE FOR ALL TO "sightline_platform" USING (true) WITH CHECK (true);--> statement-breakpoint
-- Who is told of what is a matter of requests; what has happened is told by consumers alone.
GRANT SELECT, INSERT, UPDATE, DELETE ON webhooks, webhook_turns TO sightline_app;
--> statement-breakpoint
GRANT SELECT, INSERT ON webhook_deliveries TO sightline_app;
--> statement-breakpoint
GRANT SELECT, DELETE ON webhook_attempts TO sightline_app;
--> statement-breakpoint
GRANT SELECT ON feed_entries, feed_heads TO sightline_app;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON consumer_places, feed_entries, feed_heads, relay_positions,
  webhooks, webhook_messages, webhook_attempts, webhook_turns, webhook_deliveries
  TO sightline_platform;
--> statement-breakpoint
-- Tables that work like queues: rows come and go all the time.
ALTER TABLE webhook_attempts SET (
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
--> statement-breakpoint
ALTER TABLE webhook_messages SET (
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
--> statement-breakpoint
-- Rows that change in place: with room on their page, their index entries stay as they are.
ALTER TABLE consumer_places SET (fillfactor = 50);
--> statement-breakpoint
ALTER TABLE feed_heads SET (fillfactor = 50);
--> statement-breakpoint
ALTER TABLE webhook_turns SET (fillfactor = 50);
--> statement-breakpoint
-- Events of identities tell their `external_ref`; those that were written before, that of now.
UPDATE outbox o SET data = (left(o.data::text, -1) || ',"external_ref":' || coalesce(
  (SELECT to_json(i.external_ref)::text FROM identities i
   WHERE i.environment_id = o.environment_id AND i.id = (o.data ->> 'identity_id')::bigint),
  'null') || '}')::json
WHERE event IN ('identity.updated', 'identity.merged', 'identity.deleted');
--> statement-breakpoint
-- The setting and its webhook are one.
INSERT INTO webhooks (environment_id, url, events, label, is_setting)
SELECT environment_id, value #>> '{}', '{}', 'webhook.url', true FROM environment_settings
WHERE key = 'webhook.url' AND value #>> '{}' <> '';
--> statement-breakpoint
INSERT INTO webhook_turns (environment_id, webhook_id) SELECT environment_id, id FROM webhooks;
--> statement-breakpoint
DELETE FROM environment_settings WHERE key = 'webhook.url';
