-- The counters of days: `day.images`, `day.faces` and so on, whose subject is the number of the day (UTC) since 1970. A
-- day counts what happened on it, so a later deletion changes no day. What an undo takes back leaves the day of its
-- operation, and what an undo brings back is not counted again.
GRANT CREATE ON SCHEMA public TO sightline_platform;

CREATE FUNCTION day_of(moment timestamptz) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT floor(extract(epoch FROM moment) / 86400)::bigint
$$;

-- What a change of a detection counts: it is new, or it gained a decision that it did not have. The state before is null
-- for a new one, and the state after for a deleted one.
CREATE FUNCTION day_counts(
  type text, status_before text, decider_before text, status_after text, decider_after text
) RETURNS TABLE (counter text) LANGUAGE sql IMMUTABLE AS $$
  SELECT 'day.' || type || 's' WHERE status_before IS NULL AND status_after IS NOT NULL
  UNION ALL
  SELECT 'day.confirmed_' || decider_after
  WHERE type = 'face' AND status_after = 'confirmed'
    AND (status_before, decider_before) IS DISTINCT FROM ('confirmed', decider_after)
  UNION ALL
  SELECT 'day.rejected'
  WHERE type = 'face' AND status_after = 'rejected' AND status_before IS DISTINCT FROM 'rejected'
$$;

-- Returns the day on which a change counts, and how: 1 if the change itself counts, and -1 if the opposite change is
-- subtracted. The changes of an undo belong to the day of the operation that was undone, and those of the undo of an undo
-- count there again.
CREATE FUNCTION counted_day(scope bigint) RETURNS TABLE (day bigint, sign integer)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  undone bigint := (nullif(current_setting('sightline.operation', true), '')::jsonb ->> 'undoes')::bigint;
  began timestamptz := now();
BEGIN
  sign := 1;
  WHILE undone IS NOT NULL LOOP
    sign := -sign;
    SELECT o.created_at, o.undoes INTO began, undone FROM operations o
    WHERE o.environment_id = scope AND o.id = undone;
  END LOOP;
  day := day_of(coalesce(began, now()));
  RETURN NEXT;
END
$$;

CREATE FUNCTION count_days_of_images() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO counter_deltas (environment_id, counter, subject_id, model_id, delta)
    SELECT c.environment_id, 'day.images', d.day, 0, d.sign * c.amount
    FROM (SELECT environment_id, count(*) AS amount FROM changed_rows GROUP BY environment_id) AS c
    CROSS JOIN LATERAL counted_day(c.environment_id) AS d
    WHERE d.sign = CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
  RETURN NULL;
END
$$;

-- A reference counts if its face had none, also of another model. So a change of the model enrolls no face.
CREATE FUNCTION count_days_of_references() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO counter_deltas (environment_id, counter, subject_id, model_id, delta)
    SELECT c.environment_id, 'day.enrolled', d.day, 0, d.sign * c.amount
    FROM (
      SELECT r.environment_id, count(DISTINCT r.detection_id) AS amount FROM changed_rows r
      WHERE NOT EXISTS (
        SELECT FROM face_references o
        WHERE o.environment_id = r.environment_id AND o.detection_id = r.detection_id
          AND (TG_OP = 'DELETE' OR o.id < r.id))
      GROUP BY r.environment_id
    ) AS c
    CROSS JOIN LATERAL counted_day(c.environment_id) AS d
    WHERE d.sign = CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
  RETURN NULL;
END
$$;

CREATE FUNCTION count_days_of_detections() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO counter_deltas (environment_id, counter, subject_id, model_id, delta)
    SELECT r.environment_id, c.counter, d.day, 0, d.sign * sum(r.amount)
    FROM (
      SELECT environment_id, type, review_status, decided_by, count(*) AS amount FROM changed_rows
      GROUP BY 1, 2, 3, 4
    ) AS r
    CROSS JOIN LATERAL counted_day(r.environment_id) AS d
    CROSS JOIN LATERAL day_counts(r.type, NULL, NULL, r.review_status, r.decided_by) AS c
    WHERE d.sign = CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END
    GROUP BY r.environment_id, c.counter, d.day, d.sign;
  RETURN NULL;
END
$$;

-- The rows before and after are grouped instead of joined: the kept plan of a join may suit only few rows.
CREATE FUNCTION count_days_of_decisions() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO counter_deltas (environment_id, counter, subject_id, model_id, delta)
    SELECT r.environment_id, c.counter, d.day, 0, d.sign * sum(r.amount)
    FROM (
      SELECT environment_id, type, status_before, decider_before, status_after, decider_after, count(*) AS amount
      FROM (
        SELECT environment_id, type,
          max(review_status) FILTER (WHERE NOT is_new) AS status_before,
          max(decided_by) FILTER (WHERE NOT is_new) AS decider_before,
          max(review_status) FILTER (WHERE is_new) AS status_after,
          max(decided_by) FILTER (WHERE is_new) AS decider_after
        FROM (
          SELECT true AS is_new, environment_id, id, type, review_status, decided_by FROM new_rows
          UNION ALL
          SELECT false, environment_id, id, type, review_status, decided_by FROM old_rows
        ) AS states
        GROUP BY environment_id, id, type
      ) AS rows
      WHERE (status_before, decider_before) <> (status_after, decider_after)
      GROUP BY 1, 2, 3, 4, 5, 6
    ) AS r
    CROSS JOIN LATERAL counted_day(r.environment_id) AS d
    CROSS JOIN LATERAL (
      SELECT counter FROM day_counts(r.type, r.status_before, r.decider_before, r.status_after, r.decider_after)
      WHERE d.sign = 1
      UNION ALL
      SELECT counter FROM day_counts(r.type, r.status_after, r.decider_after, r.status_before, r.decider_before)
      WHERE d.sign = -1
    ) AS c
    GROUP BY r.environment_id, c.counter, d.day, d.sign;
  RETURN NULL;
END
$$;

DO $migration$
DECLARE
  counted record;
BEGIN
  FOR counted IN VALUES
    ('source_images', 'count_days_of_images'),
    ('detections', 'count_days_of_detections'),
    ('face_references', 'count_days_of_references')
  LOOP
    EXECUTE format('CREATE TRIGGER days_insert AFTER INSERT ON %I REFERENCING NEW TABLE AS changed_rows
      FOR EACH STATEMENT EXECUTE FUNCTION %I()', counted.column1, counted.column2);
    -- Only an undo counts what is deleted.
    EXECUTE format($$CREATE TRIGGER days_delete AFTER DELETE ON %I REFERENCING OLD TABLE AS changed_rows
      FOR EACH STATEMENT
      WHEN (nullif(current_setting('sightline.operation', true), '')::jsonb ->> 'undoes' IS NOT NULL)
      EXECUTE FUNCTION %I()$$, counted.column1, counted.column2);
    EXECUTE format('ALTER FUNCTION %I() OWNER TO sightline_platform', counted.column2);
  END LOOP;
END
$migration$;
ALTER FUNCTION count_days_of_decisions() OWNER TO sightline_platform;
CREATE TRIGGER days_update AFTER UPDATE ON detections
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION count_days_of_decisions();

ALTER FUNCTION counted_day(bigint) OWNER TO sightline_platform;
REVOKE ALL ON FUNCTION counted_day(bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION day_of(timestamptz) TO sightline_app;
REVOKE CREATE ON SCHEMA public FROM sightline_platform;
