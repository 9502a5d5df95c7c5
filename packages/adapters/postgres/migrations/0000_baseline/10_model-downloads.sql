-- A download job ends by its worker, by cancellation, after two crashes, or with its environment. This
-- trigger makes sure that its model does not stay `downloading` in any of these cases.
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

-- Frees the model at once when its download is cancelled, so that a new job can download it. The claim of the
-- new job waits until the worker has stopped the old job. SKIP LOCKED avoids a deadlock with the transaction
-- that stores the downloaded model, because that transaction locks the model before the job.
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
