-- A model whose download was cancelled is free for another one at once; what is at work on the old one is
-- waited for by the claim of the new one. A row that its download is about to pin, job last, is passed over:
-- nothing waits here for a transaction that waits for the job.
CREATE FUNCTION free_model_of_download() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE models SET status = 'available', error = NULL
  WHERE id IN (
    SELECT id FROM models WHERE download_job_id = NEW.id AND status = 'downloading'
    FOR NO KEY UPDATE SKIP LOCKED);
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER free_model_of_download AFTER UPDATE OF error ON jobs FOR EACH ROW
  WHEN (NEW.type = 'model_download' AND OLD.error IS NULL AND NEW.error = 'cancelled')
  EXECUTE FUNCTION free_model_of_download();
