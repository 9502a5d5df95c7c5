-- Under row-level security, operators that are not leakproof cannot use an index. So the functions that the
-- application calls run as sightline_platform, which sees every row, and restrict themselves to the
-- environment of the transaction; outside of a scoped transaction they find nothing. All of them find the
-- same names: names that contain the text, and names with words similar to it.
--
-- The planner cannot estimate the selectivity of such operators either, so each function chooses its index.
-- A frequent text is soon met by a scan in the order of the answer; a rare one is looked up. A sample decides.
GRANT CREATE ON SCHEMA public TO sightline_platform;

-- A LIKE pattern that matches any text containing this one; LIKE's special characters are escaped.
CREATE FUNCTION containing(folded text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN '%' || regexp_replace(folded, '([\\%_])', '\\\1', 'g') || '%';

-- Looks up at most `most` names that contain a part of a folded name, in no particular order.
CREATE FUNCTION names_with(environment bigint, part text, kind text, reference text, most integer)
RETURNS SETOF bigint
LANGUAGE plpgsql STABLE
SET search_path = public, pg_temp
SET plan_cache_mode = force_custom_plan
SET enable_bitmapscan = on
SET enable_seqscan = off
SET enable_indexscan = off
SET enable_indexonlyscan = off
AS $$
DECLARE
  pattern CONSTANT text := containing(part);
  -- Without three letters in a row, the text may have no trigram to look up.
  has_letters CONSTANT boolean := part COLLATE "pg_unicode_fast" ~ '[[:alnum:]]{3}';
BEGIN
  RETURN QUERY SELECT i.id FROM identities i
    WHERE i.environment_id = environment AND i.deleting_since IS NULL
      AND (kind IS NULL OR i.type = kind)
      AND (reference IS NULL OR i.external_ref = reference)
      AND (has_letters AND i.folded_label LIKE pattern
        OR NOT has_letters AND name_pairs(i.folded_label) @> ARRAY[substr(part, 1, 2)]
          AND strpos(i.folded_label, part) > 0)
    LIMIT most;
END
$$;

-- Looks up at most `most` names with words whose similarity to the folded text is at least `nearness`, in no
-- particular order. Null turns off the filters by type, by reference and by range of labels.
CREATE FUNCTION names_near(
  environment bigint, folded text, nearness real, kind text, reference text,
  first_label text, last_label text, most integer
) RETURNS TABLE (identity_id bigint, label text, type text)
LANGUAGE plpgsql STABLE
SET search_path = public, pg_temp
SET plan_cache_mode = force_custom_plan
SET enable_bitmapscan = on
SET enable_seqscan = off
SET enable_indexscan = off
SET enable_indexonlyscan = off
SET pg_trgm.word_similarity_threshold = 0.4
AS $$
#variable_conflict use_column
BEGIN
  -- A very short text is similar to too many names, and one without trigrams to none.
  IF char_length(folded) <= 3 OR cardinality(show_trgm(folded)) = 0 THEN
    RETURN;
  END IF;
  PERFORM set_config('pg_trgm.word_similarity_threshold', nearness::text, true);
  RETURN QUERY SELECT i.id, i.label, i.type FROM identities i
    WHERE i.environment_id = environment AND i.deleting_since IS NULL
      AND (kind IS NULL OR i.type = kind)
      AND (reference IS NULL OR i.external_ref = reference)
      AND (first_label IS NULL OR i.label >= first_label)
      AND (last_label IS NULL OR i.label <= last_label)
      AND folded <% i.folded_label
    LIMIT most;
END
$$;

-- The first names, by label, that contain a part of a folded name and follow a position.
CREATE FUNCTION names_with_by_label(
  environment bigint, part text, kind text, reference text,
  after_label text, after_type text, after_id bigint, most integer
) RETURNS TABLE (identity_id bigint, label text)
LANGUAGE plpgsql STABLE
SET search_path = public, pg_temp
SET plan_cache_mode = force_custom_plan
SET enable_bitmapscan = off
SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
  sample CONSTANT integer := 5000;
  looked_up CONSTANT bigint[] := ARRAY(
    SELECT names_with(environment, part, kind, reference, sample));
BEGIN
  IF cardinality(looked_up) < sample THEN
    RETURN QUERY SELECT i.id, i.label FROM identities i
      WHERE i.environment_id = environment AND i.id = ANY (looked_up)
        AND (after_label IS NULL OR (i.label, i.type, i.id) > (after_label, after_type, after_id))
      ORDER BY i.label, i.type, i.id LIMIT most;
  ELSE
    RETURN QUERY SELECT i.id, i.label FROM identities i
      WHERE i.environment_id = environment AND i.deleting_since IS NULL
        AND (kind IS NULL OR i.type = kind)
        AND (reference IS NULL OR i.external_ref = reference)
        AND (after_label IS NULL OR (i.label, i.type, i.id) > (after_label, after_type, after_id))
        AND strpos(i.folded_label, part) > 0
      ORDER BY i.label, i.type, i.id LIMIT most;
  END IF;
END
$$;

-- The shortest names that contain `part`, and do not contain `other` unless that is null.
CREATE FUNCTION names_with_by_length(
  environment bigint, part text, other text, kind text, most integer
) RETURNS TABLE (identity_id bigint, length integer)
LANGUAGE plpgsql STABLE
SET search_path = public, pg_temp
SET plan_cache_mode = force_custom_plan
SET enable_bitmapscan = off
SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
  sample CONSTANT integer := 5000;
  found bigint[];
BEGIN
  found := ARRAY(
    SELECT i.id FROM (
      SELECT id, type, folded_label FROM identities
      WHERE environment_id = environment AND deleting_since IS NULL
      ORDER BY char_length(folded_label), label, type, id LIMIT sample
    ) i
    WHERE (kind IS NULL OR i.type = kind)
      AND strpos(i.folded_label, part) > 0 AND (other IS NULL OR strpos(i.folded_label, other) = 0)
    LIMIT most);
  IF cardinality(found) < most THEN
    found := ARRAY(SELECT names_with(environment, part, kind, NULL, sample));
  END IF;
  IF cardinality(found) < sample THEN
    RETURN QUERY SELECT i.id, char_length(i.folded_label) FROM identities i
      WHERE i.environment_id = environment AND i.id = ANY (found)
        AND (other IS NULL OR strpos(i.folded_label, other) = 0)
      ORDER BY char_length(i.folded_label), i.label, i.type, i.id LIMIT most;
  ELSE
    RETURN QUERY SELECT i.id, char_length(i.folded_label) FROM identities i
      WHERE i.environment_id = environment AND i.deleting_since IS NULL
        AND (kind IS NULL OR i.type = kind)
        AND strpos(i.folded_label, part) > 0 AND (other IS NULL OR strpos(i.folded_label, other) = 0)
      ORDER BY char_length(i.folded_label), i.label, i.type, i.id LIMIT most;
  END IF;
END
$$;

-- The first names, by label, that are similar to the folded text, follow a position, and come no later than
-- the last label. If many names are similar, a sample finds the label before which there are enough.
CREATE FUNCTION names_near_by_label(
  environment bigint, folded text, nearness real, kind text, reference text,
  after_label text, after_type text, after_id bigint, last_label text, most integer
) RETURNS SETOF bigint
LANGUAGE plpgsql STABLE
SET search_path = public, pg_temp
AS $$
#variable_conflict use_column
DECLARE
  sample CONSTANT integer := greatest(most, 2000);
  found bigint[];
  labels text[];
BEGIN
  SELECT array_agg(n.identity_id ORDER BY n.label, n.type, n.identity_id),
         array_agg(n.label ORDER BY n.label, n.type, n.identity_id)
    INTO found, labels
    FROM names_near(environment, folded, nearness, kind, reference, after_label, last_label,
      CASE WHEN most IS NULL THEN NULL ELSE sample + 2 END) n
    WHERE after_label IS NULL OR (n.label, n.type, n.identity_id) > (after_label, after_type, after_id);
  -- The position excludes at most one name of each type.
  IF most IS NULL OR coalesce(cardinality(found), 0) < sample THEN
    RETURN QUERY SELECT unnest(found[1:coalesce(most, cardinality(found))]);
  ELSE
    RETURN QUERY
      SELECT n.identity_id
      FROM names_near(
        environment, folded, nearness, kind, reference, after_label, labels[most], NULL) n
      WHERE after_label IS NULL OR (n.label, n.type, n.identity_id) > (after_label, after_type, after_id)
      ORDER BY n.label, n.type, n.identity_id LIMIT most;
  END IF;
END
$$;

-- The best names for a text, with a similarity: first names in which the text begins a word, then names that
-- contain it elsewhere, both rated by the share of the name that the text makes up; then similar names. If
-- more than 2,000 names are similar, the very similar ones are preferred, then those whose labels come first.
CREATE FUNCTION names_found(name text, kind text, most integer)
RETURNS TABLE (identity_id bigint, similarity double precision)
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = public, pg_temp
AS $$
#variable_conflict use_column
DECLARE
  environment CONSTANT bigint := nullif(current_setting('sightline.environment_id', true), '');
  many CONSTANT integer := 2000;
  folded CONSTANT text := folded_name(name);
  part CONSTANT text := substr(folded, 2);
  room integer := most;
  added integer;
  nearness real;
  near bigint[] := '{}';
  level bigint[];
  enough text;
BEGIN
  IF environment IS NULL OR part = '' THEN
    RETURN;
  END IF;
  RETURN QUERY
    SELECT n.identity_id, 0.75 + 0.25 * char_length(folded) / n.length::float8
    FROM names_with_by_length(environment, folded, NULL, kind, room) n;
  GET DIAGNOSTICS added = ROW_COUNT;
  room := room - added;
  IF room > 0 THEN
    RETURN QUERY
      SELECT n.identity_id, 0.5 + 0.25 * char_length(part) / n.length::float8
      FROM names_with_by_length(environment, part, folded, kind, room) n;
    GET DIAGNOSTICS added = ROW_COUNT;
    room := room - added;
  END IF;
  IF room = 0 THEN
    RETURN;
  END IF;
  -- Very similar names are rare. They include names that contain the text, hence twice as many.
  FOREACH nearness IN ARRAY ARRAY[0.7, 0.4] LOOP
    SELECT coalesce(array_agg(n.identity_id), '{}'),
           (array_agg(n.label ORDER BY n.label))[2 * most]
      INTO level, enough
      FROM names_near(environment, folded, nearness, kind, NULL, NULL, NULL, many) n;
    IF cardinality(level) = many THEN
      level := near || ARRAY(
        SELECT n.identity_id
        FROM names_near(environment, folded, nearness, kind, NULL, NULL, enough, NULL) n
        ORDER BY n.label, n.type, n.identity_id LIMIT 2 * most);
    END IF;
    near := level;
    EXIT WHEN cardinality(near) >= 2 * most;
  END LOOP;
  RETURN QUERY
    SELECT i.id, 0.5 * word_similarity(folded, i.folded_label)::float8
    FROM identities i
    WHERE i.environment_id = environment AND i.id = ANY (near) AND strpos(i.folded_label, part) = 0
    ORDER BY word_similarity(folded, i.folded_label) DESC, i.label, i.type, i.id LIMIT room;
END
$$;

-- The first names, by label, that a text finds and that follow a position; all of them if `most` is null. Null
-- turns off the filters by type and by reference. The result may hold a name twice and more names than
-- requested: the caller sorts and limits it.
CREATE FUNCTION names_listed(
  name text, kind text, reference text,
  after_label text, after_type text, after_id bigint, most integer
) RETURNS SETOF bigint
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = public, pg_temp
SET plan_cache_mode = force_custom_plan
SET pg_trgm.word_similarity_threshold = 0.4
AS $$
#variable_conflict use_column
DECLARE
  environment CONSTANT bigint := nullif(current_setting('sightline.environment_id', true), '');
  folded CONSTANT text := folded_name(name);
  part CONSTANT text := substr(folded, 2);
  found bigint[];
  last_label text;
BEGIN
  IF environment IS NULL OR part = '' THEN
    RETURN;
  END IF;
  -- A scan in this order soon meets a text that many names contain.
  IF most IS NOT NULL THEN
    found := ARRAY(
      SELECT i.id FROM (
        SELECT id, label, type, folded_label, external_ref FROM identities
        WHERE environment_id = environment AND deleting_since IS NULL
          AND (after_label IS NULL OR (label, type, id) > (after_label, after_type, after_id))
        ORDER BY label, type, id LIMIT 2 * most
      ) i
      WHERE (kind IS NULL OR i.type = kind)
        AND (reference IS NULL OR i.external_ref = reference)
        AND (strpos(i.folded_label, part) > 0 OR char_length(part) > 2 AND folded <% i.folded_label)
      ORDER BY i.label, i.type, i.id LIMIT most);
    IF cardinality(found) = most THEN
      RETURN QUERY SELECT unnest(found);
      RETURN;
    END IF;
  END IF;
  SELECT array_agg(n.identity_id), max(n.label) INTO found, last_label
    FROM names_with_by_label(
      environment, part, kind, reference, after_label, after_type, after_id, most) n;
  RETURN QUERY SELECT unnest(found);
  -- If fewer names contain the text, similar names may come after the last of them.
  IF most IS NULL OR coalesce(cardinality(found), 0) < most THEN
    last_label := NULL;
  END IF;
  RETURN QUERY SELECT names_near_by_label(
    environment, folded, 0.4, kind, reference, after_label, after_type, after_id, last_label, most);
END
$$;

ALTER FUNCTION containing(text) OWNER TO sightline_platform;
ALTER FUNCTION names_with(bigint, text, text, text, integer) OWNER TO sightline_platform;
ALTER FUNCTION names_near(bigint, text, real, text, text, text, text, integer) OWNER TO sightline_platform;
ALTER FUNCTION names_with_by_label(bigint, text, text, text, text, text, bigint, integer)
  OWNER TO sightline_platform;
ALTER FUNCTION names_with_by_length(bigint, text, text, text, integer) OWNER TO sightline_platform;
ALTER FUNCTION names_near_by_label(bigint, text, real, text, text, text, text, bigint, text, integer)
  OWNER TO sightline_platform;
ALTER FUNCTION names_found(text, text, integer) OWNER TO sightline_platform;
ALTER FUNCTION names_listed(text, text, text, text, text, bigint, integer) OWNER TO sightline_platform;
REVOKE ALL ON FUNCTION
  containing(text),
  names_with(bigint, text, text, text, integer),
  names_near(bigint, text, real, text, text, text, text, integer),
  names_with_by_label(bigint, text, text, text, text, text, bigint, integer),
  names_with_by_length(bigint, text, text, text, integer),
  names_near_by_label(bigint, text, real, text, text, text, text, bigint, text, integer),
  names_found(text, text, integer),
  names_listed(text, text, text, text, text, bigint, integer)
FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
  names_found(text, text, integer),
  names_listed(text, text, text, text, text, bigint, integer)
TO sightline_app;
REVOKE CREATE ON SCHEMA public FROM sightline_platform;
