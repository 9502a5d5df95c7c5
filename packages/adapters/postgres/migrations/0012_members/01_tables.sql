CREATE TABLE invitations (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  environment_id bigint NOT NULL CONSTRAINT invitations_environment REFERENCES environments (id),
  email text NOT NULL,
  role text NOT NULL,
  hash bytea NOT NULL,
  created_by text NOT NULL CONSTRAINT invitations_created_by_accounts_id_fk REFERENCES accounts (id),
  expires_at timestamptz(3) NOT NULL,
  CONSTRAINT invitations_hash UNIQUE (hash),
  CONSTRAINT invitations_email UNIQUE (environment_id, email),
  CONSTRAINT invitations_role CHECK (role IN ('viewer', 'reviewer', 'editor', 'owner')),
  CONSTRAINT invitations_hash_length CHECK (octet_length(hash) = 32)
);
CREATE INDEX invitations_author ON invitations (created_by);

ALTER TABLE invitations ENABLE ROW LEVEL SECURITY;
CREATE POLICY all_environments ON invitations TO sightline_platform USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON invitations TO sightline_platform;
