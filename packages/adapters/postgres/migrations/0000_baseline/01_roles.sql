-- Creates the two roles of the service. sightline_app sees the rows of one environment, which its transaction
-- names. sightline_platform sees all rows. The tables belong to neither role.
--
-- Roles belong to the cluster, so another database of the cluster may already have created them, or may be
-- creating them now. The migrating role needs SET and INHERIT to make these roles the owners of functions.
SET LOCAL createrole_self_grant = 'set, inherit';
DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['sightline_app', 'sightline_platform'] LOOP
    -- A role that exists is kept. An owner without CREATEROLE thus needs an administrator to create the roles
    -- first.
    CONTINUE WHEN EXISTS (SELECT FROM pg_roles WHERE rolname = name);
    BEGIN
      EXECUTE format('CREATE ROLE %I LOGIN NOINHERIT NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS', name);
    EXCEPTION WHEN duplicate_object OR unique_violation THEN
      NULL;
    END;
  END LOOP;
END
$$;

-- Makes sightline_platform a member of sightline_app, because members see how long a transaction of
-- sightline_app has been open. The oldest open transaction delays the readers of the outbox. A concurrent
-- grant is ignored, because another database of the cluster may add this membership at the same time.
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
