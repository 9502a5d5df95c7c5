ALTER TABLE rejected_pairs ADD COLUMN detected_at timestamptz(3);
UPDATE rejected_pairs p SET detected_at = d.detected_at
  FROM detections d WHERE d.environment_id = p.environment_id AND d.id = p.detection_id;
CREATE INDEX rejected_pairs_by_time ON rejected_pairs (environment_id, identity_id, detected_at, detection_id);

-- Copies the time of the face, which never changes, so that an index has the order of the rejected faces of an
-- identity.
CREATE FUNCTION date_rejected_pair() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  NEW.detected_at := (
    SELECT d.detected_at FROM detections d
    WHERE d.environment_id = NEW.environment_id AND d.id = NEW.detection_id);
  RETURN NEW;
END
$$;
CREATE TRIGGER time_of_face BEFORE INSERT ON rejected_pairs
  FOR EACH ROW EXECUTE FUNCTION date_rejected_pair();
