-- When each face last began to wait for review, so that a decision about all faces of a filter concerns those that its
-- caller could see. The faces that are there already get the time of the migration, which needs no rewrite of the table.
-- Decisions are not compared with this time, and no operation restores it: a face that returns begins to wait again.
ALTER TABLE detections ADD COLUMN queued_at timestamptz(3) DEFAULT now() NOT NULL;
ALTER TABLE detections ALTER COLUMN queued_at SET DEFAULT clock_timestamp();

-- The last columns allow index-only scans of all faces that wait, and of the faces that a list of ids names.
DROP INDEX detections_review_by_id;
CREATE INDEX detections_review_by_id ON detections (environment_id, id, queued_at, detected_at)
  WHERE type = 'face' AND review_status = 'pending' AND dismissed_at IS NULL;

GRANT CREATE ON SCHEMA public TO sightline_platform;
CREATE FUNCTION note_queued() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  NEW.queued_at := clock_timestamp();
  RETURN NEW;
END
$$;
ALTER FUNCTION note_queued() OWNER TO sightline_platform;
REVOKE CREATE ON SCHEMA public FROM sightline_platform;
-- The condition is checked without a call, so other updates cost nothing.
CREATE TRIGGER queued_again BEFORE UPDATE ON detections FOR EACH ROW
  WHEN (
    NEW.type = 'face' AND NEW.review_status = 'pending' AND NEW.dismissed_at IS NULL
    AND NOT (OLD.type = 'face' AND OLD.review_status = 'pending' AND OLD.dismissed_at IS NULL))
  EXECUTE FUNCTION note_queued();
