-- Under row-level security an operator can use an index only if it is leakproof, which text search operators
-- are not. So the functions for the application run as sightline_platform, which sees every row, and filter
-- by the environment of the transaction. Without such an environment they find nothing. All functions find
-- the same names: names that contain the text, and names with words similar to the text.
--
-- The planner cannot estimate how many rows such operators find, so each function chooses its index. For a
-- frequent text, a scan in the order of the result finds enough names soon. For a rare text, an index lookup
-- is faster. Each function takes a sample to tell frequent from rare.
GRANT CREATE ON SCHEMA public TO sightline_platform;

-- Returns a LIKE pattern for texts that contain this text. LIKE's special characters are escaped.
CREATE FUNCTION containing(folded text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN '%' || regexp_replace(folded, '([\\%_])', '\\\1', 'g') || '%';

-- Looks up at most `most` names that contain `part` of a folded name, in no particular order.
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
  -- Trigrams need three letters or digits in a row.
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

-- Looks up at most `most` names that have words with a similarity of at least `nearness` to the folded text,
-- in no particular order. A null turns off the filter by type, reference or range of labels.
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
  -- Too many names are similar to a very short text. No name is similar to a text without trigrams.
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

-- Returns the names after the given position that contain `part` of a folded name, ordered by label.
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

-- Returns the shortest names that contain `part` but not `other`. If `other` is null, only `part` counts.
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

-- Returns the names after the given position, up to the last label, that are similar to the folded text,
-- ordered by label. If many names are similar, a sample yields a label before which there are enough names.
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
  -- Only names with the label of the position can be excluded, at most one of each of the two types.
  -- Therefore two names more than `sample` were fetched.
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

-- Returns the best names for a text, with a similarity. First come names in which the text begins a word,
-- then names that contain the text elsewhere. Their similarity depends on the share of the name that the text
-- makes up. Similar names come last. If more than 2,000 names are similar, very similar names are preferred,
-- then names with the lowest labels.
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
  -- Very similar names are rare, so they are tried first. Twice the requested number is fetched, because some
  -- of these names contain the text and are already in the result.
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

-- Returns the first names, by label, that match a text and come after the given position. Returns all of them
-- if `most` is null. A null turns off the filter by type or reference. The result may contain duplicates and
-- more names than requested, so the caller sorts and limits it.
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
  -- If many names contain the text, a scan in the order of the result finds enough of them soon.
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
  -- If fewer than `most` names contain the text, similar names with later labels belong to the result too.
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
