-- For an index on the environment and the names in it at once.
CREATE EXTENSION IF NOT EXISTS btree_gin WITH SCHEMA public;
--> statement-breakpoint
-- A label as it is searched for: without case, without marks that combine with letters, and with a mark
-- (U+0001, which no label has) before each word. So one pattern finds the beginning of a word, another
-- any part of the name.
--
-- Left out are the marks of European, Hebrew and Arabic letters, which writers leave out too; not the
-- vowel signs of other scripts, without which words are different words. The Turkish letter without a dot
-- counts as one with a dot: both have the same capital letter in one of their languages.
CREATE FUNCTION folded_name(label text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN E'\x01' || regexp_replace(
  translate(
    casefold(
      normalize(
        regexp_replace(
          normalize(label, NFD),
          '[\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]+',
          '', 'g'),
        NFC) COLLATE "pg_unicode_fast"),
    E'ı\x01', 'i '),
  '(?<=[^[:alnum:]])([[:alnum:]])', E'\x01\\1', 'g');
--> statement-breakpoint
-- The characters of a folded name and its pairs of neighbors: what texts too short for a trigram are
-- looked up by.
CREATE FUNCTION name_pairs(folded text) RETURNS text[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN ARRAY(
  SELECT DISTINCT substr(folded, n, size)
  FROM generate_series(1, char_length(folded)) AS n, generate_series(1, 2) AS size);
--> statement-breakpoint
DROP INDEX "identities_list";--> statement-breakpoint
DROP INDEX "identities_name";--> statement-breakpoint
ALTER TABLE "identities" ADD COLUMN "folded_label" text COLLATE "C" GENERATED ALWAYS AS (folded_name(label)) STORED NOT NULL;--> statement-breakpoint
CREATE INDEX "identities_by_length" ON "identities" USING btree ("environment_id",char_length("folded_label"),"label","type","id","folded_label") WHERE "identities"."leaving_since" is null;--> statement-breakpoint
CREATE INDEX "identities_list" ON "identities" USING btree ("environment_id","label","type","id","folded_label") WHERE "identities"."leaving_since" is null;--> statement-breakpoint
CREATE INDEX "identities_name" ON "identities" USING gin ("environment_id","folded_label" gin_trgm_ops,name_pairs("folded_label")) WITH (fastupdate=false);
--> statement-breakpoint
-- Operators that are not leakproof do not use their index under row-level security. The functions that
-- the application calls belong to sightline_platform, which sees every row, and keep to the environment
-- of the transaction by themselves; outside of a scoped transaction they find nothing. All of them find
-- the same names: those with the text in them, and those with words near it.
--
-- Nor does the planner estimate with such operators. So each function says which index it takes: what many
-- names have is met soon in the order of the answer, what few have is looked up. A sample tells which.
GRANT CREATE ON SCHEMA public TO sightline_platform;
--> statement-breakpoint
-- A LIKE pattern for a text that may have its special characters in it.
CREATE FUNCTION containing(folded text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN '%' || regexp_replace(folded, '([\\%_])', '\\\1', 'g') || '%';
--> statement-breakpoint
-- Names with the part of a folded name, looked up, in no order: at most so many.
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
  -- Else there may be no trigram to look it up by.
  has_letters CONSTANT boolean := part COLLATE "pg_unicode_fast" ~ '[[:alnum:]]{3}';
BEGIN
  RETURN QUERY SELECT i.id FROM identities i
    WHERE i.environment_id = environment AND i.leaving_since IS NULL
      AND (kind IS NULL OR i.type = kind)
      AND (reference IS NULL OR i.external_ref = reference)
      AND (has_letters AND i.folded_label LIKE pattern
        OR NOT has_letters AND name_pairs(i.folded_label) @> ARRAY[substr(part, 1, 2)]
          AND strpos(i.folded_label, part) > 0)
    LIMIT most;
END
$$;
--> statement-breakpoint
-- Names with words that are at least so near the folded text, looked up, in no order: at most so many, of
-- a type, with a reference and from one label to another, unless these are null.
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
  -- What is too short is near too much, and what has no trigrams is near nothing.
  IF char_length(folded) <= 3 OR cardinality(show_trgm(folded)) = 0 THEN
    RETURN;
  END IF;
  PERFORM set_config('pg_trgm.word_similarity_threshold', nearness::text, true);
  RETURN QUERY SELECT i.id, i.label, i.type FROM identities i
    WHERE i.environment_id = environment AND i.leaving_since IS NULL
      AND (kind IS NULL OR i.type = kind)
      AND (reference IS NULL OR i.external_ref = reference)
      AND (first_label IS NULL OR i.label >= first_label)
      AND (last_label IS NULL OR i.label <= last_label)
      AND folded <% i.folded_label
    LIMIT most;
END
$$;
--> statement-breakpoint
-- The first of the names with the part of a folded name that follow a position, by label.
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
      WHERE i.environment_id = environment AND i.leaving_since IS NULL
        AND (kind IS NULL OR i.type = kind)
        AND (reference IS NULL OR i.external_ref = reference)
        AND (after_label IS NULL OR (i.label, i.type, i.id) > (after_label, after_type, after_id))
        AND strpos(i.folded_label, part) > 0
      ORDER BY i.label, i.type, i.id LIMIT most;
  END IF;
END
$$;
--> statement-breakpoint
-- The shortest of the names with the part, and not with the other part, if there is one.
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
      WHERE environment_id = environment AND leaving_since IS NULL
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
      WHERE i.environment_id = environment AND i.leaving_since IS NULL
        AND (kind IS NULL OR i.type = kind)
        AND strpos(i.folded_label, part) > 0 AND (other IS NULL OR strpos(i.folded_label, other) = 0)
      ORDER BY char_length(i.folded_label), i.label, i.type, i.id LIMIT most;
  END IF;
END
$$;
--> statement-breakpoint
-- The first of the names near the folded text that follow a position, by label, up to the last label. If
-- many are near, a sample tells before which label there are enough.
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
  -- At most one name of each type is left out for its position.
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
--> statement-breakpoint
-- The best of the names that a text finds, and how well it fits each: first those in which it begins a
-- word, then those in which it is elsewhere, both with the share of the name that it is; then those near
-- it. Of more than 2,000 of these, the very near ones are taken, then those whose labels
-- come first.
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
  -- What is very near is rare. Those that contain the text are among them, hence twice as many.
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
--> statement-breakpoint
-- The first of the names that a text finds and that follow a position, by label; of a type and with a
-- reference, unless these are null. All of them if there is no limit. A name may be there twice, and more
-- names than wanted: the caller puts them in order.
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
  -- What many names have is met soon in this order.
  IF most IS NOT NULL THEN
    found := ARRAY(
      SELECT i.id FROM (
        SELECT id, label, type, folded_label, external_ref FROM identities
        WHERE environment_id = environment AND leaving_since IS NULL
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
  -- If there are fewer, names near the text may come after the last of them.
  IF most IS NULL OR coalesce(cardinality(found), 0) < most THEN
    last_label := NULL;
  END IF;
  RETURN QUERY SELECT names_near_by_label(
    environment, folded, 0.4, kind, reference, after_label, after_type, after_id, last_label, most);
END
$$;
--> statement-breakpoint
-- All names that a text finds.
CREATE OR REPLACE FUNCTION identities_named(name text) RETURNS SETOF bigint
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = public, pg_temp
BEGIN ATOMIC
  SELECT DISTINCT id FROM names_listed(name, NULL, NULL, NULL, NULL, NULL, NULL) AS id;
END;
--> statement-breakpoint
ALTER FUNCTION containing(text) OWNER TO sightline_platform;
--> statement-breakpoint
ALTER FUNCTION names_with(bigint, text, text, text, integer) OWNER TO sightline_platform;
--> statement-breakpoint
ALTER FUNCTION names_near(bigint, text, real, text, text, text, text, integer) OWNER TO sightline_platform;
--> statement-breakpoint
ALTER FUNCTION names_with_by_label(bigint, text, text, text, text, text, bigint, integer) OWNER TO sightline_platform;
--> statement-breakpoint
ALTER FUNCTION names_with_by_length(bigint, text, text, text, integer) OWNER TO sightline_platform;
--> statement-breakpoint
ALTER FUNCTION names_near_by_label(bigint, text, real, text, text, text, text, bigint, text, integer) OWNER TO sightline_platform;
--> statement-breakpoint
ALTER FUNCTION names_found(text, text, integer) OWNER TO sightline_platform;
--> statement-breakpoint
ALTER FUNCTION names_listed(text, text, text, text, text, bigint, integer) OWNER TO sightline_platform;
--> statement-breakpoint
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
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION
  names_found(text, text, integer),
  names_listed(text, text, text, text, text, bigint, integer)
TO sightline_app;
--> statement-breakpoint
REVOKE CREATE ON SCHEMA public FROM sightline_platform;
