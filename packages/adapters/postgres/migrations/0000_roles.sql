-- Roles belong to the cluster, databases are many: another database may have made them already, or
-- be about to at this moment. Whoever makes them may hand functions over to them below.
SET LOCAL createrole_self_grant = 'set, inherit';
--> statement-breakpoint
DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['sightline_app', 'sightline_platform'] LOOP
    -- Who may not make roles can be given them.
    CONTINUE WHEN EXISTS (SELECT FROM pg_roles WHERE rolname = name);
    BEGIN
      EXECUTE format('CREATE ROLE %I LOGIN NOINHERIT NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS', name);
    EXCEPTION WHEN duplicate_object OR unique_violation THEN
      NULL;
    END;
  END LOOP;
END
$$;
--> statement-breakpoint
REVOKE CREATE ON SCHEMA public FROM PUBLIC;
--> statement-breakpoint
GRANT USAGE ON SCHEMA public TO sightline_app, sightline_platform;
--> statement-breakpoint
CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public;
