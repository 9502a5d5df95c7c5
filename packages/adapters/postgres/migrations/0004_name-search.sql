-- Operators that are not leakproof do not use their index under row-level security. This function
-- belongs to sightline_platform, which sees every row, and keeps to the environment by itself.
GRANT CREATE ON SCHEMA public TO sightline_platform;
--> statement-breakpoint
-- The identities of the transaction's environment with this text in their name, or words near it;
-- none outside of a scoped transaction. A text without three letters or digits in a row has no trigram
-- to be found by: it is looked for in every name.
CREATE FUNCTION identities_named(name text) RETURNS SETOF bigint
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = public, pg_temp
SET pg_trgm.word_similarity_threshold = 0.4
AS $$
DECLARE
  environment bigint := nullif(current_setting('sightline.environment_id', true), '');
  wanted text := lower(name COLLATE "pg_unicode_fast");
  pattern text := '%' || regexp_replace(wanted, '([\\%_])', '\\\1', 'g') || '%';
BEGIN
  IF wanted !~ '\w{3}' OR cardinality(show_trgm(wanted)) = 0 THEN
    RETURN QUERY SELECT id FROM identities
      WHERE environment_id = environment
        AND strpos(lower(label COLLATE "pg_unicode_fast"), wanted) > 0;
  ELSE
    RETURN QUERY SELECT id FROM identities
      WHERE environment_id = environment
        AND (lower(label COLLATE "pg_unicode_fast") LIKE pattern
          OR wanted <% lower(label COLLATE "pg_unicode_fast"));
  END IF;
END
$$;
--> statement-breakpoint
ALTER FUNCTION identities_named(text) OWNER TO sightline_platform;
--> statement-breakpoint
REVOKE ALL ON FUNCTION identities_named(text) FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION identities_named(text) TO sightline_app;
--> statement-breakpoint
REVOKE CREATE ON SCHEMA public FROM sightline_platform;
