-- The detections of each class are counted like the detections of an identity. The class of a detection never changes, so
-- updates do not count. New classes are inserted in the order of their names, so that two statements cannot deadlock.
GRANT CREATE ON SCHEMA public TO sightline_platform;
CREATE FUNCTION count_classes_insert() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO object_classes (environment_id, name)
    SELECT DISTINCT r.environment_id, r.class_name COLLATE "C" FROM new_rows r
    WHERE r.class_name IS NOT NULL AND NOT EXISTS (
      SELECT FROM object_classes c WHERE c.environment_id = r.environment_id AND c.name = r.class_name)
    ORDER BY 1, 2
    ON CONFLICT DO NOTHING;
  INSERT INTO counter_deltas (environment_id, counter, subject_id, model_id, delta)
    SELECT r.environment_id, 'class.detections', c.id, 0, count(*) FROM new_rows r
    JOIN object_classes c ON c.environment_id = r.environment_id AND c.name = r.class_name
    GROUP BY r.environment_id, c.id;
  RETURN NULL;
END
$$;
CREATE FUNCTION count_classes_delete() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO counter_deltas (environment_id, counter, subject_id, model_id, delta)
    SELECT r.environment_id, 'class.detections', c.id, 0, -count(*) FROM old_rows r
    JOIN object_classes c ON c.environment_id = r.environment_id AND c.name = r.class_name
    GROUP BY r.environment_id, c.id;
  RETURN NULL;
END
$$;
ALTER FUNCTION count_classes_insert() OWNER TO sightline_platform;
ALTER FUNCTION count_classes_delete() OWNER TO sightline_platform;
CREATE TRIGGER class_counts_insert AFTER INSERT ON detections
  REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION count_classes_insert();
CREATE TRIGGER class_counts_delete AFTER DELETE ON detections
  REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION count_classes_delete();
REVOKE CREATE ON SCHEMA public FROM sightline_platform;

-- The detections that are there already.
WITH counts AS (
  SELECT environment_id, class_name COLLATE "C" AS name, count(*) AS detections FROM detections
  WHERE class_name IS NOT NULL GROUP BY environment_id, class_name
), classes AS (
  INSERT INTO object_classes (environment_id, name) SELECT environment_id, name FROM counts
  RETURNING environment_id, id, name
)
INSERT INTO counter_deltas (environment_id, counter, subject_id, model_id, delta)
  SELECT c.environment_id, 'class.detections', c.id, 0, counts.detections
  FROM classes c JOIN counts ON counts.environment_id = c.environment_id AND counts.name = c.name;
