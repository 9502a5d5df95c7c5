-- A download job can end in several ways: by its worker, by cancellation, after two crashes, or with its
-- environment. This trigger makes sure that no model stays `downloading` after any of them.
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

CREATE TRIGGER end_model_download AFTER UPDATE OF finished_at ON jobs FOR EACH ROW
  WHEN (NEW.type = 'model_download' AND OLD.finished_at IS NULL AND NEW.finished_at IS NOT NULL)
  EXECUTE FUNCTION end_model_download();

CREATE TRIGGER end_deleted_model_download AFTER DELETE ON jobs FOR EACH ROW
  WHEN (OLD.type = 'model_download' AND OLD.finished_at IS NULL)
  EXECUTE FUNCTION end_model_download();

-- After a cancellation the model can be downloaded by another job at once; the new job's claim waits for
-- the work on the old one. A row that its download is just pinning, in a transaction that will lock the job
-- last, is skipped: otherwise this trigger would wait for a transaction that waits for the job.
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

CREATE TRIGGER free_model_of_download AFTER UPDATE OF error ON jobs FOR EACH ROW
  WHEN (NEW.type = 'model_download' AND OLD.error IS NULL AND NEW.error = 'cancelled')
  EXECUTE FUNCTION free_model_of_download();
