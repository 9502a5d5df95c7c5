-- Lists narrow to names that contain the text. Only searches find names that are near to it.
GRANT CREATE ON SCHEMA public TO sightline_platform;

-- Returns the first names, by label, that contain a text and come after the given position. Returns all of them
-- if `most` is null. A null turns off the filter by type or reference. The result may contain more names than
-- requested, so the caller sorts and limits it.
CREATE OR REPLACE FUNCTION names_listed(
  name text, kind text, reference text,
  after_label text, after_type text, after_id bigint, most integer
) RETURNS SETOF bigint
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = public, pg_temp
SET plan_cache_mode = force_custom_plan
AS $$
#variable_conflict use_column
DECLARE
  environment CONSTANT bigint := nullif(current_setting('sightline.environment_id', true), '');
  part CONSTANT text := substr(folded_name(name), 2);
  found bigint[];
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
        AND strpos(i.folded_label, part) > 0
      ORDER BY i.label, i.type, i.id LIMIT most);
    IF cardinality(found) = most THEN
      RETURN QUERY SELECT unnest(found);
      RETURN;
    END IF;
  END IF;
  RETURN QUERY SELECT n.identity_id
    FROM names_with_by_label(
      environment, part, kind, reference, after_label, after_type, after_id, most) n;
END
$$;
DROP FUNCTION names_near_by_label(bigint, text, real, text, text, text, text, bigint, text, integer);

-- Looks up at most `most` identities whose names contain a text, in no particular order. A null turns off the filter by
-- type or reference.
CREATE FUNCTION names_containing(name text, kind text, reference text, most integer)
RETURNS SETOF bigint
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = public, pg_temp
AS $$
DECLARE
  environment CONSTANT bigint := nullif(current_setting('sightline.environment_id', true), '');
  part CONSTANT text := substr(folded_name(name), 2);
BEGIN
  IF environment IS NULL OR part = '' THEN
    RETURN;
  END IF;
  RETURN QUERY SELECT names_with(environment, part, kind, reference, most);
END
$$;
ALTER FUNCTION names_containing(text, text, text, integer) OWNER TO sightline_platform;
REVOKE ALL ON FUNCTION names_containing(text, text, text, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION names_containing(text, text, text, integer) TO sightline_app;

REVOKE CREATE ON SCHEMA public FROM sightline_platform;
