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

-- Otherwise this function is that of the migration of operations.
CREATE OR REPLACE FUNCTION journal_detections() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET extra_float_digits = 1 AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM journal(
      array_agg((environment_id, 'detection', id, 'row', 0, NULL, decision_of(
        identity_id, similarity, review_status, decided_by, dismissed_at, mismatch_reviewed))::journaled),
      array_agg(identity_id)) FROM new_rows;
  ELSIF TG_OP = 'DELETE' THEN
    PERFORM journal(
      array_agg((environment_id, 'detection', id, 'row', 0, to_jsonb(o) - 'queued_at', NULL)::journaled),
      array_agg(identity_id)) FROM old_rows o;
    PERFORM set_files_aside(
      array_agg(environment_id), array_agg(crop_key), array_agg(crop_bytes::bigint)) FROM old_rows
    HAVING count(*) > 0;
  ELSE
    PERFORM journal(
      array_agg((n.environment_id, 'detection', n.id, 'row', 0,
        decision_of(o.identity_id, o.similarity, o.review_status, o.decided_by, o.dismissed_at, o.mismatch_reviewed),
        decision_of(n.identity_id, n.similarity, n.review_status, n.decided_by, n.dismissed_at, n.mismatch_reviewed)
        )::journaled),
      array_agg(n.identity_id) || array_agg(o.identity_id))
    FROM new_rows n JOIN old_rows o USING (environment_id, id)
    WHERE (o.identity_id, o.similarity, o.review_status, o.decided_by, o.dismissed_at, o.mismatch_reviewed)
      IS DISTINCT FROM
      (n.identity_id, n.similarity, n.review_status, n.decided_by, n.dismissed_at, n.mismatch_reviewed);
  END IF;
  RETURN NULL;
END
$$;
