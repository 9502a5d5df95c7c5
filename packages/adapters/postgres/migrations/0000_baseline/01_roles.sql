-- The service's two roles: sightline_app sees the one environment that its transaction names,
-- sightline_platform sees all of them. Neither owns a table.
--
-- Roles belong to the cluster: another database of it may already have created them, or may be creating
-- them at the same time. The creator needs SET and INHERIT to make these roles owners of functions.
SET LOCAL createrole_self_grant = 'set, inherit';
DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['sightline_app', 'sightline_platform'] LOOP
    -- An owner without CREATEROLE works if an administrator has created the roles.
    CONTINUE WHEN EXISTS (SELECT FROM pg_roles WHERE rolname = name);
    BEGIN
      EXECUTE format('CREATE ROLE %I LOGIN NOINHERIT NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS', name);
    EXCEPTION WHEN duplicate_object OR unique_violation THEN
      NULL;
    END;
  END LOOP;
END
$$;

-- With this membership sightline_platform sees how long a transaction of sightline_app has been open: the
-- oldest one delays the readers of the outbox. Memberships belong to the cluster, too.
DO $$
BEGIN
  IF NOT pg_has_role('sightline_platform', 'sightline_app', 'USAGE') THEN
    GRANT sightline_app TO sightline_platform WITH INHERIT TRUE, SET FALSE;
  END IF;
EXCEPTION WHEN unique_violation OR internal_error THEN
  NULL;
END
$$;

REVOKE CREATE ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO sightline_app, sightline_platform;
