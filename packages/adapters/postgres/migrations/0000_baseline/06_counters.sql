-- Triggers maintain the counters, once per statement, so that no writer can forget to. Their functions run as
-- sightline_platform, because sightline_app may not write these tables. ALTER FUNCTION ... OWNER requires
-- that the new owner has CREATE on the schema. The end of this file revokes that privilege.
GRANT CREATE ON SCHEMA public TO sightline_platform;

-- The following functions return the counters that a row of their table adds to: the counter's name, the
-- identity (0 for the environment), the model (0 for none) and the amount.
CREATE FUNCTION detection_counts(
  type text, review_status text, dismissed_at timestamptz, identity_id bigint, crop_bytes integer
) RETURNS TABLE (counter text, subject_id bigint, model_id bigint, amount bigint)
LANGUAGE sql IMMUTABLE AS $$
  SELECT counts.counter, counts.subject_id, 0::bigint, counts.amount
  FROM (VALUES
    (type || '_detections', 0::bigint, 1::bigint),
    ('storage_bytes', 0, crop_bytes),
    ('pending_review', 0,
      (type = 'face' AND review_status = 'pending' AND dismissed_at IS NULL)::int),
    ('identity.detections', identity_id, 1),
    ('identity.pending_review', identity_id,
      (type = 'face' AND review_status = 'pending' AND dismissed_at IS NULL)::int)
  ) AS counts (counter, subject_id, amount)
  WHERE counts.subject_id IS NOT NULL AND counts.amount <> 0
$$;

CREATE FUNCTION source_image_counts(media_bytes bigint, original_key text, size_bytes bigint)
RETURNS TABLE (counter text, subject_id bigint, model_id bigint, amount bigint)
LANGUAGE sql IMMUTABLE AS $$
  VALUES
    ('source_images', 0::bigint, 0::bigint, 1::bigint),
    ('storage_bytes', 0, 0,
      media_bytes + CASE WHEN original_key IS NULL THEN 0 ELSE size_bytes END)
$$;

-- Excludes identities that are being deleted, although their rows still exist.
CREATE FUNCTION identity_counts(type text, deleting_since timestamptz)
RETURNS TABLE (counter text, subject_id bigint, model_id bigint, amount bigint)
LANGUAGE sql IMMUTABLE AS $$
  SELECT type || '_identities', 0::bigint, 0::bigint, 1::bigint WHERE deleting_since IS NULL
$$;

CREATE FUNCTION reference_counts(identity_id bigint, model_id bigint)
RETURNS TABLE (counter text, subject_id bigint, counted_model_id bigint, amount bigint)
LANGUAGE sql IMMUTABLE AS $$ SELECT 'identity.embeddings', identity_id, model_id, 1::bigint $$;

-- Creates one trigger function per table. After an update, the function writes only the differences.
DO $migration$
DECLARE
  counted record;
BEGIN
  FOR counted IN VALUES
    ('detections',
      'detection_counts(r.type, r.review_status, r.dismissed_at, r.identity_id, r.crop_bytes)'),
    ('source_images', 'source_image_counts(r.media_bytes, r.original_key, r.size_bytes)'),
    ('identities', 'identity_counts(r.type, r.deleting_since)'),
    ('face_references', 'reference_counts(r.identity_id, r.model_id)')
  LOOP
    EXECUTE format($template$
      CREATE FUNCTION count_%1$s() RETURNS trigger
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $body$
      BEGIN
        IF TG_OP = 'INSERT' THEN
          INSERT INTO counter_deltas (environment_id, counter, subject_id, model_id, delta)
          SELECT r.environment_id, c.counter, c.subject_id, c.model_id, sum(c.amount)
          FROM new_rows r, %2$s AS c (counter, subject_id, model_id, amount)
          GROUP BY 1, 2, 3, 4;
        ELSIF TG_OP = 'DELETE' THEN
          INSERT INTO counter_deltas (environment_id, counter, subject_id, model_id, delta)
          SELECT r.environment_id, c.counter, c.subject_id, c.model_id, -sum(c.amount)
          FROM old_rows r, %2$s AS c (counter, subject_id, model_id, amount)
          GROUP BY 1, 2, 3, 4;
        ELSE
          INSERT INTO counter_deltas (environment_id, counter, subject_id, model_id, delta)
          SELECT r.environment_id, c.counter, c.subject_id, c.model_id, sum(r.sign * c.amount)
          FROM (SELECT 1 AS sign, * FROM new_rows UNION ALL SELECT -1, * FROM old_rows) r,
            %2$s AS c (counter, subject_id, model_id, amount)
          GROUP BY 1, 2, 3, 4 HAVING sum(r.sign * c.amount) <> 0;
        END IF;
        RETURN NULL;
      END
      $body$;
      ALTER FUNCTION count_%1$s() OWNER TO sightline_platform;
      CREATE TRIGGER counters_insert AFTER INSERT ON %1$I
        REFERENCING NEW TABLE AS new_rows
        FOR EACH STATEMENT EXECUTE FUNCTION count_%1$s();
      CREATE TRIGGER counters_update AFTER UPDATE ON %1$I
        REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
        FOR EACH STATEMENT EXECUTE FUNCTION count_%1$s();
      CREATE TRIGGER counters_delete AFTER DELETE ON %1$I
        REFERENCING OLD TABLE AS old_rows
        FOR EACH STATEMENT EXECUTE FUNCTION count_%1$s();
    $template$, counted.column1, counted.column2);
  END LOOP;
END
$migration$;

-- Maintains the counts in the rows of images. The trigger first locks the rows of all images in the order of
-- their ids, so that two statements about the same images cannot deadlock. The trigger skips images whose
-- counts stay the same, as in a merge.
DO $migration$
DECLARE
  event record;
BEGIN
  FOR event IN VALUES
    ('insert', 'INSERT', 'NEW TABLE AS new_rows', 'SELECT 1 AS sign, * FROM new_rows'),
    ('update', 'UPDATE', 'OLD TABLE AS old_rows NEW TABLE AS new_rows',
      'SELECT 1 AS sign, * FROM new_rows UNION ALL SELECT -1, * FROM old_rows'),
    ('delete', 'DELETE', 'OLD TABLE AS old_rows', 'SELECT -1 AS sign, * FROM old_rows')
  LOOP
    EXECUTE format($template$
      CREATE FUNCTION count_detections_%1$s() RETURNS trigger
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $body$
      BEGIN
        WITH changes AS (
          SELECT environment_id, source_image_id,
            sum(sign * (type = 'face')::int) AS faces,
            sum(sign * (type = 'object')::int) AS objects,
            sum(sign * (type = 'face' AND identity_id IS NOT NULL)::int) AS tagged_faces,
            sum(sign * is_manual::int) AS manual
          FROM (%4$s) AS r
          GROUP BY environment_id, source_image_id
        ), locked AS MATERIALIZED (
          SELECT c.* FROM changes c
          JOIN source_images s ON s.environment_id = c.environment_id AND s.id = c.source_image_id
          WHERE (c.faces, c.objects, c.tagged_faces, c.manual) <> (0, 0, 0, 0)
          ORDER BY s.id FOR NO KEY UPDATE OF s
        )
        UPDATE source_images s SET
          face_count = face_count + l.faces,
          object_count = object_count + l.objects,
          tagged_face_count = tagged_face_count + l.tagged_faces,
          manual_count = manual_count + l.manual
        FROM locked l WHERE s.environment_id = l.environment_id AND s.id = l.source_image_id;
        RETURN NULL;
      END
      $body$;
      ALTER FUNCTION count_detections_%1$s() OWNER TO sightline_platform;
      CREATE TRIGGER image_counts_%1$s AFTER %2$s ON detections
        REFERENCING %3$s
        FOR EACH STATEMENT EXECUTE FUNCTION count_detections_%1$s();
    $template$, event.column1, event.column2, event.column3, event.column4);
  END LOOP;
END
$migration$;

REVOKE CREATE ON SCHEMA public FROM sightline_platform;
