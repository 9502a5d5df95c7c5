-- The order of identities by their detections, and by the time of the last one.
CREATE TABLE identity_standings (
  environment_id bigint NOT NULL,
  identity_id bigint NOT NULL,
  type text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  detection_count bigint DEFAULT 0 NOT NULL,
  pending_count bigint DEFAULT 0 NOT NULL,
  last_seen_at timestamptz(3) DEFAULT '-infinity' NOT NULL,
  CONSTRAINT identity_standings_environment_id_identity_id_pk PRIMARY KEY (environment_id, identity_id),
  CONSTRAINT identity_standings_identity FOREIGN KEY (environment_id, identity_id)
    REFERENCES identities (environment_id, id) ON DELETE CASCADE
);

INSERT INTO identity_standings
SELECT i.environment_id, i.id, i.type, i.created_at,
  coalesce(d.detections, 0), coalesce(d.pending, 0), coalesce(d.last_seen_at, '-infinity')
FROM identities i
LEFT JOIN (
  SELECT environment_id, identity_id, count(*) AS detections,
    count(*) FILTER (WHERE type = 'face' AND review_status = 'pending' AND dismissed_at IS NULL) AS pending,
    max(detected_at) AS last_seen_at
  FROM detections WHERE identity_id IS NOT NULL GROUP BY environment_id, identity_id
) AS d ON d.environment_id = i.environment_id AND d.identity_id = i.id;

CREATE INDEX identity_standings_detections
  ON identity_standings (environment_id, type, detection_count, identity_id, pending_count);
CREATE INDEX identity_standings_newest
  ON identity_standings (environment_id, type, created_at, identity_id, detection_count, pending_count);
CREATE INDEX identity_standings_last_seen
  ON identity_standings (environment_id, type, last_seen_at, identity_id, detection_count, pending_count);
CREATE INDEX identity_standings_pending ON identity_standings (environment_id, type, identity_id)
  WHERE pending_count > 0;
CREATE INDEX counter_deltas_of_identities ON counter_deltas (environment_id, subject_id)
  WHERE NOT is_folded AND counter IN ('identity.detections', 'identity.pending_review');

ALTER TABLE identity_standings ENABLE ROW LEVEL SECURITY;
CREATE POLICY all_environments ON identity_standings TO sightline_platform USING (true) WITH CHECK (true);
CREATE POLICY one_environment ON identity_standings TO sightline_app
  USING (environment_id = nullif(current_setting('sightline.environment_id', true), '')::bigint)
  WITH CHECK (environment_id = nullif(current_setting('sightline.environment_id', true), '')::bigint);
GRANT SELECT, INSERT, UPDATE, DELETE ON identity_standings TO sightline_platform;
GRANT SELECT ON identity_standings TO sightline_app;

GRANT CREATE ON SCHEMA public TO sightline_platform;

CREATE FUNCTION add_standings() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO identity_standings (environment_id, identity_id, type, created_at)
  SELECT environment_id, id, type, created_at FROM new_rows;
  RETURN NULL;
END
$$;
ALTER FUNCTION add_standings() OWNER TO sightline_platform;
CREATE TRIGGER standings_insert AFTER INSERT ON identities
  REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION add_standings();

-- Brings standings up to date when changes of their counters are summed up. Until then readers compute them from the
-- changes, so that no writer waits for another one that changes the same identity.
CREATE FUNCTION refresh_standings() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp
SET plan_cache_mode = force_generic_plan
AS $$
BEGIN
  UPDATE identity_standings s SET
    detection_count = now_has.detections, pending_count = now_has.pending, last_seen_at = now_has.last_seen_at
  FROM (
    SELECT DISTINCT environment_id, subject_id FROM old_rows
    WHERE counter IN ('identity.detections', 'identity.pending_review')
  ) AS changed
  CROSS JOIN LATERAL (
    SELECT
      coalesce(sum(c.delta) FILTER (WHERE c.counter = 'identity.detections'), 0) AS detections,
      coalesce(sum(c.delta) FILTER (WHERE c.counter = 'identity.pending_review'), 0) AS pending,
      coalesce((
        SELECT d.detected_at FROM detections d
        WHERE d.environment_id = changed.environment_id AND d.identity_id = changed.subject_id
        ORDER BY d.detected_at DESC, d.id DESC LIMIT 1), '-infinity') AS last_seen_at
    FROM counter_deltas c
    WHERE c.environment_id = changed.environment_id AND c.subject_id = changed.subject_id
      AND c.counter IN ('identity.detections', 'identity.pending_review')
  ) AS now_has
  WHERE s.environment_id = changed.environment_id AND s.identity_id = changed.subject_id
    AND (s.detection_count, s.pending_count, s.last_seen_at)
      <> (now_has.detections, now_has.pending, now_has.last_seen_at);
  RETURN NULL;
END
$$;
ALTER FUNCTION refresh_standings() OWNER TO sightline_platform;
CREATE TRIGGER standings_refresh AFTER DELETE ON counter_deltas
  REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION refresh_standings();

-- Notes identities that gain as many detections as they lose in one statement. Their counters stay the same, but the
-- time of the last detection may not.
CREATE FUNCTION note_exchanges() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO counter_deltas (environment_id, counter, subject_id, model_id, delta)
  SELECT moved.environment_id, 'identity.detections', side.identity_id, 0, 0
  FROM (
    SELECT n.environment_id, n.identity_id AS gaining, o.identity_id AS losing
    FROM new_rows n JOIN old_rows o USING (environment_id, id)
    WHERE n.identity_id IS DISTINCT FROM o.identity_id
  ) AS moved
  CROSS JOIN LATERAL (VALUES (gaining, 1), (losing, -1)) AS side (identity_id, amount)
  WHERE side.identity_id IS NOT NULL
  GROUP BY moved.environment_id, side.identity_id HAVING sum(side.amount) = 0;
  RETURN NULL;
END
$$;
ALTER FUNCTION note_exchanges() OWNER TO sightline_platform;
CREATE TRIGGER exchanges_update AFTER UPDATE ON detections
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION note_exchanges();

REVOKE CREATE ON SCHEMA public FROM sightline_platform;
