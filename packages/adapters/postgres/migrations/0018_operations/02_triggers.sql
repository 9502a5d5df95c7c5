-- Records what a transaction changes, if it names an operation: `sightline.operation` is a JSON object with the kind, the
-- actor, the days for which values are kept and the operation that this one takes back. `sightline.operation_id` is the id,
-- which the first change sets.
GRANT CREATE ON SCHEMA public TO sightline_platform;

CREATE TYPE journaled AS (
  environment_id bigint,
  subject text,
  subject_id bigint,
  part text,
  part_id bigint,
  before jsonb,
  after jsonb
);

-- The image and the identity of a deleted detection, which the two indexes find.
CREATE FUNCTION source_image_of(row_before jsonb) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT (row_before ->> 'source_image_id')::bigint
$$;
CREATE FUNCTION identity_of(row_before jsonb) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT (row_before ->> 'identity_id')::bigint
$$;
CREATE INDEX operation_items_of_image ON operation_items (environment_id, source_image_of(before))
  WHERE subject = 'detection' AND part = 'row' AND after IS NULL;
CREATE INDEX operation_items_of_identity ON operation_items (environment_id, identity_of(before))
  WHERE subject = 'detection' AND part = 'row' AND after IS NULL;

-- The columns of a detection that decisions change.
CREATE FUNCTION decision_of(
  identity_id bigint, similarity float8, review_status text, decided_by text, dismissed_at timestamptz,
  mismatch_reviewed boolean
) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT jsonb_build_object(
    'identity_id', identity_id, 'similarity', similarity, 'review_status', review_status,
    'decided_by', decided_by, 'mismatch_reviewed', mismatch_reviewed, 'dismissed_at',
    -- The text is the same whatever the time zone of the session is.
    to_char(dismissed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
$$;

-- The columns of an identity that people change.
CREATE FUNCTION portrait_of(label text, external_ref text, cover_detection_id bigint)
RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT jsonb_build_object(
    'label', label, 'external_ref', external_ref, 'cover_detection_id', cover_detection_id)
$$;

-- Whether values of the operation are kept. The setting may change while it takes further transactions.
CREATE FUNCTION keeps_values(scope bigint, number bigint) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT expires_at > created_at AND cleared_at IS NULL FROM operations
  WHERE environment_id = scope AND id = number
$$;

-- Returns the id of the operation of the transaction, which this function adds unless it has begun.
CREATE FUNCTION operation_in(scope bigint) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  operation CONSTANT jsonb := current_setting('sightline.operation')::jsonb;
  number bigint := nullif(current_setting('sightline.operation_id', true), '')::bigint;
BEGIN
  IF number IS NULL THEN
    INSERT INTO operations (environment_id, kind, user_id, key_id, expires_at, undoes)
    VALUES (
      scope, operation->>'kind', operation->>'user_id', (operation->>'key_id')::bigint,
      now() + make_interval(days => (operation->>'undo_days')::integer), (operation->>'undoes')::bigint)
    RETURNING id INTO number;
    PERFORM set_config('sightline.operation_id', number::text, true);
  END IF;
  RETURN number;
END
$$;

-- Begins the operation of a scoped transaction before it changes anything.
CREATE FUNCTION begin_operation() RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT operation_in(current_setting('sightline.environment_id')::bigint)
$$;

-- Adds items to the operation of the transaction. Of a row that changes several times, the values before the first change
-- and those after the last one are kept. A row that is deleted last has values of all columns.
CREATE FUNCTION journal(changed journaled[], identities bigint[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp
SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  operation CONSTANT jsonb := current_setting('sightline.operation')::jsonb;
  scope bigint;
  number bigint;
  keeps boolean;
BEGIN
  IF changed IS NULL THEN
    RETURN;
  END IF;
  scope := (changed[1]).environment_id;
  number := operation_in(scope);
  keeps := keeps_values(scope, number);
  IF operation ? 'purges' THEN
    PERFORM purge_values(scope, d.subject, array_agg(d.subject_id)) FROM unnest(changed) AS d
    WHERE d.part = 'row' AND d.after IS NULL GROUP BY d.subject;
  END IF;
  WITH given AS (
    SELECT g.* FROM unnest(changed) AS g
  ), fresh AS (
    SELECT DISTINCT g.subject, g.subject_id FROM given g WHERE NOT EXISTS (
      SELECT FROM operation_items i
      WHERE i.environment_id = scope AND i.operation_id = number AND i.subject = g.subject
        AND i.subject_id = g.subject_id)
  ), stored AS (
    INSERT INTO operation_items AS i (
      environment_id, operation_id, subject, subject_id, part, part_id, before, after)
    SELECT scope, number, g.subject, g.subject_id, g.part, g.part_id,
      CASE WHEN keeps THEN g.before END, CASE WHEN keeps THEN g.after END
    FROM given g
    ON CONFLICT (environment_id, operation_id, subject, subject_id, part, part_id)
    DO UPDATE SET after = excluded.after,
      before = CASE WHEN excluded.after IS NULL THEN excluded.before || i.before ELSE i.before END
  ), concerned AS (
    INSERT INTO operation_identities (environment_id, identity_id, operation_id)
    SELECT DISTINCT scope, c, number FROM unnest(identities) AS c WHERE c IS NOT NULL
    ON CONFLICT DO NOTHING
  )
  UPDATE operations o SET count = o.count + (SELECT count(*) FROM fresh)
  WHERE o.environment_id = scope AND o.id = number AND EXISTS (SELECT FROM fresh);
END
$$;

-- Deletes the values of records from all operations, and those of detections that were deleted from them before. The files
-- become orphans.
CREATE FUNCTION purge_values(scope bigint, kind text, ids bigint[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp
SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  faces bigint[] := CASE kind WHEN 'detection' THEN ids END;
  images bigint[] := CASE kind WHEN 'image' THEN ids END;
BEGIN
  IF kind = 'image' THEN
    faces := ARRAY(
      SELECT subject_id FROM operation_items
      WHERE environment_id = scope AND source_image_of(before) = any(ids) AND subject = 'detection'
        AND part = 'row' AND after IS NULL);
  ELSIF kind = 'identity' THEN
    faces := ARRAY(
      SELECT subject_id FROM operation_items
      WHERE environment_id = scope AND identity_of(before) = any(ids) AND subject = 'detection'
        AND part = 'row' AND after IS NULL);
  END IF;
  -- An image that was deleted with its last detection stays only for detections of others.
  images := images || ARRAY(
    SELECT DISTINCT source_image_of(i.before) FROM operation_items i
    WHERE i.environment_id = scope AND i.subject = 'detection' AND i.subject_id = any(faces)
      AND i.part = 'row' AND i.after IS NULL AND i.before IS NOT NULL
      AND NOT EXISTS (
        SELECT FROM source_images s
        WHERE s.environment_id = scope AND s.id = source_image_of(i.before))
      AND NOT EXISTS (
        SELECT FROM operation_items o
        WHERE o.environment_id = scope AND source_image_of(o.before) = source_image_of(i.before)
          AND o.subject = 'detection' AND o.part = 'row' AND o.after IS NULL
          AND o.subject_id <> ALL (faces)));
  DELETE FROM set_aside_files f USING operation_items i
  WHERE i.environment_id = scope AND (i.subject = 'image' AND i.subject_id = any(images)
      OR i.subject = 'detection' AND i.subject_id = any(faces))
    AND i.part = 'row' AND f.media_key IN (i.before ->> 'crop_key', i.before ->> 'media_key', i.before ->> 'original_key');
  UPDATE operation_items SET before = NULL, after = NULL
  WHERE environment_id = scope AND subject = 'identity' AND kind = 'identity' AND subject_id = any(ids);
  UPDATE operation_items SET before = NULL, after = NULL
  WHERE environment_id = scope AND subject = 'detection' AND subject_id = any(faces);
  UPDATE operation_items SET before = NULL, after = NULL
  WHERE environment_id = scope AND subject = 'image' AND subject_id = any(images);
END
$$;

-- Keeps the files of deleted rows while the operation can bring the rows back.
CREATE FUNCTION set_files_aside(environments bigint[], keys text[], sizes bigint[]) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  INSERT INTO set_aside_files (environment_id, media_key, bytes, operation_id)
  SELECT f.environment_id, f.media_key, f.bytes, current_setting('sightline.operation_id')::bigint
  FROM unnest(environments, keys, sizes) AS f (environment_id, media_key, bytes)
  WHERE f.media_key IS NOT NULL
    AND keeps_values(f.environment_id, current_setting('sightline.operation_id')::bigint)
  ON CONFLICT DO NOTHING
$$;

-- The digits of numbers are complete, whatever the server is configured to. A face that returns begins to wait for review
-- again, so the time since when it waits is not recorded.
CREATE FUNCTION journal_detections() RETURNS trigger
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

-- The merge of an identity marks it first and deletes it last. Only the values before the mark are its own.
CREATE FUNCTION journal_identities() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM journal(
      array_agg((environment_id, 'identity', id, 'row', 0, NULL,
        portrait_of(label, external_ref, cover_detection_id))::journaled),
      array_agg(id)) FROM new_rows;
  ELSIF TG_OP = 'DELETE' THEN
    PERFORM journal(
      array_agg((environment_id, 'identity', id, 'row', 0, to_jsonb(o), NULL)::journaled),
      array_agg(id)) FROM old_rows o;
  ELSE
    PERFORM journal(
      array_agg((n.environment_id, 'identity', n.id, 'row', 0,
        CASE WHEN n.deleting_since IS NULL THEN portrait_of(o.label, o.external_ref, o.cover_detection_id)
          ELSE to_jsonb(o) END,
        CASE WHEN n.deleting_since IS NULL THEN portrait_of(n.label, n.external_ref, n.cover_detection_id) END
        )::journaled),
      array_agg(n.id))
    FROM new_rows n JOIN old_rows o USING (environment_id, id)
    WHERE o.deleting_since IS NULL AND (o.label, o.external_ref, o.cover_detection_id, o.deleting_since)
      IS DISTINCT FROM (n.label, n.external_ref, n.cover_detection_id, n.deleting_since);
  END IF;
  RETURN NULL;
END
$$;

CREATE FUNCTION journal_references() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM journal(
      array_agg((environment_id, 'detection', detection_id, 'reference', id, NULL, to_jsonb(n))::journaled),
      array_agg(identity_id)) FROM new_rows n;
  ELSIF TG_OP = 'DELETE' THEN
    PERFORM journal(
      array_agg((environment_id, 'detection', detection_id, 'reference', id, to_jsonb(o), NULL)::journaled),
      array_agg(identity_id)) FROM old_rows o;
  ELSE
    PERFORM journal(
      array_agg((n.environment_id, 'detection', n.detection_id, 'reference', n.id, to_jsonb(o), to_jsonb(n))::journaled),
      array_agg(n.identity_id) || array_agg(o.identity_id))
    FROM new_rows n JOIN old_rows o USING (environment_id, id)
    WHERE n.identity_id <> o.identity_id;
  END IF;
  RETURN NULL;
END
$$;

-- A rejection that moves to another identity is one that ends and one that begins.
CREATE FUNCTION journal_rejections() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM journal(
      array_agg((environment_id, 'detection', detection_id, 'rejection', identity_id, NULL, to_jsonb(n))::journaled),
      array_agg(identity_id)) FROM new_rows n;
  ELSIF TG_OP = 'DELETE' THEN
    PERFORM journal(
      array_agg((environment_id, 'detection', detection_id, 'rejection', identity_id, to_jsonb(o), NULL)::journaled),
      array_agg(identity_id)) FROM old_rows o;
  ELSE
    PERFORM journal(
      array_agg((r.environment_id, 'detection', r.detection_id, 'rejection', r.identity_id, r.before, r.after)::journaled),
      array_agg(r.identity_id))
    FROM (
      SELECT environment_id, detection_id, identity_id, to_jsonb(o) AS before, to_jsonb(n) AS after
      FROM (SELECT * FROM old_rows) AS o FULL JOIN (SELECT * FROM new_rows) AS n
        USING (environment_id, detection_id, identity_id)
      WHERE o IS DISTINCT FROM n
    ) AS r;
  END IF;
  RETURN NULL;
END
$$;

CREATE FUNCTION journal_images() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM journal(
      array_agg((environment_id, 'image', id, 'row', 0, NULL, '{}')::journaled), '{}') FROM new_rows;
  ELSE
    PERFORM journal(
      array_agg((environment_id, 'image', id, 'row', 0, to_jsonb(o), NULL)::journaled), '{}') FROM old_rows o;
    PERFORM set_files_aside(
      array_agg(environment_id) || array_agg(environment_id), array_agg(media_key) || array_agg(original_key),
      array_agg(media_bytes) || array_agg(size_bytes)) FROM old_rows
    HAVING count(*) > 0;
  END IF;
  RETURN NULL;
END
$$;

-- The vectors of deleted detections.
CREATE FUNCTION journal_vectors() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM journal(
    array_agg((environment_id, 'detection', detection_id, TG_ARGV[0], model_id, to_jsonb(o), NULL)::journaled), '{}')
  FROM old_rows o;
  RETURN NULL;
END
$$;

DO $migration$
DECLARE
  watched record;
BEGIN
  FOR watched IN VALUES
    ('detections', 'journal_detections()', ARRAY['INSERT', 'UPDATE', 'DELETE']),
    ('identities', 'journal_identities()', ARRAY['INSERT', 'UPDATE', 'DELETE']),
    ('face_references', 'journal_references()', ARRAY['INSERT', 'UPDATE', 'DELETE']),
    ('rejected_pairs', 'journal_rejections()', ARRAY['INSERT', 'UPDATE', 'DELETE']),
    ('source_images', 'journal_images()', ARRAY['INSERT', 'DELETE']),
    ('face_vectors', 'journal_vectors(''vector'')', ARRAY['DELETE']),
    ('unembeddable_faces', 'journal_vectors(''mark'')', ARRAY['DELETE'])
  LOOP
    FOR i IN 1 .. cardinality(watched.column3) LOOP
      EXECUTE format(
        $trigger$
          CREATE TRIGGER journal_%1$s AFTER %2$s ON %3$I REFERENCING %4$s
          FOR EACH STATEMENT WHEN (current_setting('sightline.operation', true) <> '')
          EXECUTE FUNCTION %5$s
        $trigger$,
        lower(watched.column3[i]), watched.column3[i], watched.column1,
        CASE watched.column3[i] WHEN 'INSERT' THEN 'NEW TABLE AS new_rows'
          WHEN 'DELETE' THEN 'OLD TABLE AS old_rows'
          ELSE 'OLD TABLE AS old_rows NEW TABLE AS new_rows' END,
        watched.column2);
    END LOOP;
  END LOOP;
END
$migration$;

-- Files that are set aside use storage, too.
CREATE FUNCTION count_set_aside_files() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO counter_deltas (environment_id, counter, subject_id, model_id, delta)
    SELECT r.environment_id, c.counter, 0, 0, sum(r.bytes)
    FROM new_rows r CROSS JOIN (VALUES ('storage_bytes'), ('set_aside_bytes')) AS c (counter) GROUP BY 1, 2;
  ELSE
    INSERT INTO counter_deltas (environment_id, counter, subject_id, model_id, delta)
    SELECT r.environment_id, c.counter, 0, 0, -sum(r.bytes)
    FROM old_rows r CROSS JOIN (VALUES ('storage_bytes'), ('set_aside_bytes')) AS c (counter) GROUP BY 1, 2;
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER counters_insert AFTER INSERT ON set_aside_files REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION count_set_aside_files();
CREATE TRIGGER counters_delete AFTER DELETE ON set_aside_files REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION count_set_aside_files();

DO $migration$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY[
    'keeps_values(bigint, bigint)', 'operation_in(bigint)', 'begin_operation()', 'count_set_aside_files()', 'purge_values(bigint, text, bigint[])', 'journal(journaled[], bigint[])', 'set_files_aside(bigint[], text[], bigint[])', 'journal_detections()',
    'journal_identities()', 'journal_references()', 'journal_rejections()', 'journal_images()', 'journal_vectors()']
  LOOP
    EXECUTE format('ALTER FUNCTION %s OWNER TO sightline_platform', name);
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', name);
    EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO sightline_platform', name);
  END LOOP;
END
$migration$;
REVOKE CREATE ON SCHEMA public FROM sightline_platform;
