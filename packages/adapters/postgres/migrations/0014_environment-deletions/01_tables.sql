ALTER TABLE environments
  ADD COLUMN deleting_since timestamptz(3),
  DROP CONSTRAINT environments_owner_name;
-- The name of an environment that is being deleted is free.
CREATE UNIQUE INDEX environments_owner_name ON environments (coalesce(owner_id, ''), name)
  WHERE deleting_since IS NULL;
-- The first release deletes no environment.
UPDATE installation SET least_release = '0.1.0';

CREATE TABLE environment_deletions (
  environment_id bigint PRIMARY KEY
    CONSTRAINT environment_deletions_environment_id_environments_id_fk REFERENCES environments (id),
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  total bigint NOT NULL,
  done bigint DEFAULT 0 NOT NULL,
  last_step_at timestamptz(3)
);
ALTER TABLE environment_deletions ENABLE ROW LEVEL SECURITY;
CREATE POLICY all_environments ON environment_deletions TO sightline_platform USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON environment_deletions TO sightline_platform;

-- Fails unless the environment of the transaction exists and is not being deleted. Writing transactions call this after
-- they have locked the environment, so that none of them writes after its deletion has locked it exclusively.
CREATE FUNCTION require_environment() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM environments
    WHERE id = nullif(current_setting('sightline.environment_id', true), '')::bigint AND deleting_since IS NULL)
  THEN
    RAISE EXCEPTION 'the environment does not exist, or is being deleted' USING ERRCODE = 'SL404';
  END IF;
END
$$;
