ALTER TABLE "webhook_attempts" DROP CONSTRAINT "webhook_attempts_message";
--> statement-breakpoint
DROP INDEX "webhook_attempts_message";--> statement-breakpoint
DROP INDEX "webhook_deliveries_age";--> statement-breakpoint
ALTER TABLE "webhook_attempts" ALTER COLUMN "attempt" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "webhook_attempts" ALTER COLUMN "due_at" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "webhook_attempts" ADD COLUMN "event_id" uuid;--> statement-breakpoint
ALTER TABLE "webhook_attempts" ADD COLUMN "event" text;--> statement-breakpoint
ALTER TABLE "webhook_attempts" ADD COLUMN "body" "bytea";--> statement-breakpoint
ALTER TABLE "webhook_turns" ADD COLUMN "xid" "xid8";--> statement-breakpoint
ALTER TABLE "webhook_turns" ADD COLUMN "id" bigint;--> statement-breakpoint
-- Attempts that wait have their messages themselves.
UPDATE webhook_attempts a SET event_id = m.event_id, event = m.event, body = m.body
FROM webhook_messages m
WHERE m.environment_id = a.environment_id AND m.xid = a.xid AND m.id = a.id;
--> statement-breakpoint
-- All events up to the place of the consumer are queued.
UPDATE webhook_turns t
SET xid = coalesce(p.xid, pg_snapshot_xmin(w.active_from)), id = coalesce(p.id, 0), due_at = now()
FROM webhooks w
LEFT JOIN consumer_places p ON p.environment_id = w.environment_id AND p.consumer = 'webhooks'
WHERE w.environment_id = t.environment_id AND w.id = t.webhook_id;
--> statement-breakpoint
ALTER TABLE "webhook_attempts" ALTER COLUMN "event_id" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "webhook_attempts" ALTER COLUMN "event" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "webhook_attempts" ALTER COLUMN "body" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "webhook_turns" ALTER COLUMN "xid" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "webhook_turns" ALTER COLUMN "id" SET NOT NULL;--> statement-breakpoint
DROP TABLE "webhook_messages" CASCADE;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_age" ON "webhook_deliveries" USING brin ("created_at") WITH (autosummarize=true);
