-- Counters and changes of vectors are written by triggers, once per statement, so that no writer can
-- forget them. The functions belong to sightline_platform: the scoped role cannot write these tables.
-- Who makes functions over to a role needs that role to have this right; it is taken back below.
GRANT CREATE ON SCHEMA public TO sightline_platform;
--> statement-breakpoint
-- What a row of each table counts for: a counter, the identity or 0 for the environment, the model or
-- 0, and how much.
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
--> statement-breakpoint
CREATE FUNCTION source_image_counts(media_bytes bigint, original_key text, size_bytes bigint)
RETURNS TABLE (counter text, subject_id bigint, model_id bigint, amount bigint)
LANGUAGE sql IMMUTABLE AS $$
  VALUES
    ('source_images', 0::bigint, 0::bigint, 1::bigint),
    ('storage_bytes', 0, 0,
      media_bytes + CASE WHEN original_key IS NULL THEN 0 ELSE size_bytes END)
$$;
--> statement-breakpoint
CREATE FUNCTION identity_counts(type text)
RETURNS TABLE (counter text, subject_id bigint, model_id bigint, amount bigint)
LANGUAGE sql IMMUTABLE AS $$ SELECT type || '_identities', 0::bigint, 0::bigint, 1::bigint $$;
--> statement-breakpoint
CREATE FUNCTION reference_counts(identity_id bigint, model_id bigint)
RETURNS TABLE (counter text, subject_id bigint, counted_model_id bigint, amount bigint)
LANGUAGE sql IMMUTABLE AS $$ SELECT 'identity.embeddings', identity_id, model_id, 1::bigint $$;
--> statement-breakpoint
-- A function per table, as its triggers name it; of an update, only what differs is written.
DO $migration$
DECLARE
  counted record;
BEGIN
  FOR counted IN VALUES
    ('detections',
      'detection_counts(r.type, r.review_status, r.dismissed_at, r.identity_id, r.crop_bytes)'),
    ('source_images', 'source_image_counts(r.media_bytes, r.original_key, r.size_bytes)'),
    ('identities', 'identity_counts(r.type)'),
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
      CREATE TRIGGER counted_in AFTER INSERT ON %1$I
        REFERENCING NEW TABLE AS new_rows
        FOR EACH STATEMENT EXECUTE FUNCTION count_%1$s();
      CREATE TRIGGER counted_over AFTER UPDATE ON %1$I
        REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
        FOR EACH STATEMENT EXECUTE FUNCTION count_%1$s();
      CREATE TRIGGER counted_out AFTER DELETE ON %1$I
        REFERENCING OLD TABLE AS old_rows
        FOR EACH STATEMENT EXECUTE FUNCTION count_%1$s();
    $template$, counted.column1, counted.column2);
  END LOOP;
END
$migration$;
--> statement-breakpoint
-- Vectors that appear, go, change, or come to stand for another identity: the index is told of them.
DO $migration$
DECLARE
  indexed record;
BEGIN
  FOR indexed IN VALUES
    ('face_vectors', 'faces', 'detection_id', 'n.vector IS DISTINCT FROM o.vector'),
    ('face_references', 'references', 'id', 'n.identity_id IS DISTINCT FROM o.identity_id'),
    ('identity_means', 'means', 'identity_id', 'n.mean IS DISTINCT FROM o.mean')
  LOOP
    EXECUTE format($template$
      CREATE FUNCTION note_%1$s() RETURNS trigger
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $body$
      BEGIN
        IF TG_OP = 'INSERT' THEN
          INSERT INTO vector_changes (environment_id, model_id, kind, entity_id)
          SELECT environment_id, model_id, %2$L, %3$I FROM new_rows;
        ELSIF TG_OP = 'DELETE' THEN
          INSERT INTO vector_changes (environment_id, model_id, kind, entity_id)
          SELECT environment_id, model_id, %2$L, %3$I FROM old_rows;
        ELSE
          INSERT INTO vector_changes (environment_id, model_id, kind, entity_id)
          SELECT environment_id, model_id, %2$L, %3$I
          FROM new_rows n JOIN old_rows o USING (environment_id, model_id, %3$I)
          WHERE %4$s;
        END IF;
        RETURN NULL;
      END
      $body$;
      ALTER FUNCTION note_%1$s() OWNER TO sightline_platform;
      CREATE TRIGGER noted_in AFTER INSERT ON %1$I
        REFERENCING NEW TABLE AS new_rows
        FOR EACH STATEMENT EXECUTE FUNCTION note_%1$s();
      CREATE TRIGGER noted_over AFTER UPDATE ON %1$I
        REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
        FOR EACH STATEMENT EXECUTE FUNCTION note_%1$s();
      CREATE TRIGGER noted_out AFTER DELETE ON %1$I
        REFERENCING OLD TABLE AS old_rows
        FOR EACH STATEMENT EXECUTE FUNCTION note_%1$s();
    $template$, indexed.column1, indexed.column2, indexed.column3, indexed.column4);
  END LOOP;
END
$migration$;
--> statement-breakpoint
-- A face whose identity changes keeps its vectors, which now stand for somebody else.
CREATE FUNCTION note_detections() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO vector_changes (environment_id, model_id, kind, entity_id)
  SELECT environment_id, v.model_id, 'faces', v.detection_id
  FROM new_rows n
  JOIN old_rows o USING (environment_id, id)
  JOIN face_vectors v USING (environment_id)
  WHERE v.detection_id = n.id AND n.identity_id IS DISTINCT FROM o.identity_id;
  RETURN NULL;
END
$$;
--> statement-breakpoint
ALTER FUNCTION note_detections() OWNER TO sightline_platform;
--> statement-breakpoint
CREATE TRIGGER noted_over AFTER UPDATE ON detections
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION note_detections();
--> statement-breakpoint
REVOKE CREATE ON SCHEMA public FROM sightline_platform;
