-- No release has written to this table.
DROP TABLE audit;
CREATE TABLE audit (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  at timestamptz(3) DEFAULT now() NOT NULL,
  environment_id bigint,
  user_id text,
  key_id bigint,
  request_id text,
  entity_type text NOT NULL,
  action text NOT NULL,
  entity_ids text[] NOT NULL,
  details jsonb NOT NULL
);
CREATE INDEX audit_environment ON audit (environment_id, at, id);
CREATE INDEX audit_user ON audit (environment_id, user_id, at, id);
CREATE INDEX audit_entity ON audit (environment_id, entity_type, at, id);
CREATE INDEX audit_action ON audit (environment_id, action, at, id);
CREATE INDEX audit_installation ON audit (at, id) WHERE environment_id IS NULL;
CREATE INDEX audit_at ON audit (at);
CREATE INDEX audit_entities ON audit USING gin (entity_ids);
UPDATE installation SET least_release = '0.1.0';

ALTER TABLE audit ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_environment ON audit FOR INSERT TO sightline_app
  WITH CHECK (environment_id = nullif(current_setting('sightline.environment_id', true), '')::bigint);
CREATE POLICY all_environments ON audit TO sightline_platform USING (true) WITH CHECK (true);
-- The service may add entries, and may change none.
GRANT INSERT ON audit TO sightline_app;
GRANT SELECT, INSERT ON audit TO sightline_platform;

-- The only way in which entries are deleted: when they are old.
CREATE FUNCTION prune_audit(days integer, most integer) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  deleted bigint;
BEGIN
  IF days IS NULL OR days < 1 THEN
    RAISE EXCEPTION 'entries of the audit stay for at least one day';
  END IF;
  DELETE FROM audit WHERE id IN (
    SELECT id FROM audit WHERE at < now() - make_interval(days => days) ORDER BY at LIMIT most);
  GET DIAGNOSTICS deleted = ROW_COUNT;
  RETURN deleted;
END
$$;
REVOKE ALL ON FUNCTION prune_audit FROM PUBLIC;
GRANT EXECUTE ON FUNCTION prune_audit TO sightline_platform;
