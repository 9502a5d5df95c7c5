ALTER TABLE "models" ALTER COLUMN "digest" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "models" ALTER COLUMN "commercial_use" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "models" ADD COLUMN "commercial_use_reason" text;--> statement-breakpoint
ALTER TABLE "models" ADD COLUMN "files" jsonb;--> statement-breakpoint
ALTER TABLE "models" ADD COLUMN "download_job_id" bigint;--> statement-breakpoint
CREATE UNIQUE INDEX "models_unpinned" ON "models" USING btree ("name") WHERE "models"."digest" is null;--> statement-breakpoint
CREATE INDEX "models_download_job" ON "models" USING btree ("download_job_id") WHERE "models"."download_job_id" is not null;--> statement-breakpoint
ALTER TABLE "models" DROP COLUMN "source_url";--> statement-breakpoint
ALTER TABLE "models" ADD CONSTRAINT "models_pinned" CHECK ("models"."digest" is not null or "models"."status" in ('available', 'downloading', 'failed'));--> statement-breakpoint
-- What may only be said of a loaded model was kept as not allowed.
UPDATE models SET commercial_use = NULL WHERE NOT commercial_use;
--> statement-breakpoint
-- A request makes a model one that its job downloads.
GRANT UPDATE (status, error, download_job_id) ON models TO sightline_app;
--> statement-breakpoint
-- However the job of a download ends, nothing stays that claims to be downloaded: the worker, a cancellation,
-- two crashes and the deletion of the environment end it in different ways.
CREATE FUNCTION end_model_download() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
DECLARE
  was_cancelled boolean := TG_OP = 'DELETE' OR NEW.error = 'cancelled';
BEGIN
  UPDATE models SET status = CASE WHEN was_cancelled THEN 'available' ELSE 'failed' END,
    error = CASE WHEN was_cancelled THEN NULL
      ELSE coalesce(NEW.error, 'The download has ended without a model.') END
  WHERE download_job_id = OLD.id AND status = 'downloading';
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER end_model_download AFTER UPDATE OF finished_at ON jobs FOR EACH ROW
  WHEN (NEW.type = 'model_download' AND OLD.finished_at IS NULL AND NEW.finished_at IS NOT NULL)
  EXECUTE FUNCTION end_model_download();
--> statement-breakpoint
CREATE TRIGGER lose_model_download AFTER DELETE ON jobs FOR EACH ROW
  WHEN (OLD.type = 'model_download' AND OLD.finished_at IS NULL)
  EXECUTE FUNCTION end_model_download();
