CREATE TABLE accounts (
  id text PRIMARY KEY DEFAULT gen_random_uuid()::text,
  email text NOT NULL,
  name text NOT NULL,
  locale text,
  password_hash text NOT NULL,
  password_by text NOT NULL,
  is_admin boolean NOT NULL,
  is_disabled boolean DEFAULT false NOT NULL,
  default_environment_id bigint,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  CONSTRAINT accounts_email UNIQUE (email),
  CONSTRAINT accounts_password_by CHECK (password_by IN ('owner', 'administrator', 'service'))
);

CREATE TABLE sessions (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  account_id text NOT NULL CONSTRAINT sessions_account_id_accounts_id_fk REFERENCES accounts (id),
  hash bytea NOT NULL,
  address text,
  user_agent text,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  last_used_at timestamptz(3) DEFAULT now() NOT NULL,
  CONSTRAINT sessions_hash UNIQUE (hash),
  CONSTRAINT sessions_hash_length CHECK (octet_length(hash) = 32)
);
CREATE INDEX sessions_account ON sessions (account_id);
CREATE INDEX sessions_last_used ON sessions (last_used_at);

CREATE TABLE members (
  environment_id bigint NOT NULL CONSTRAINT members_environment REFERENCES environments (id),
  account_id text NOT NULL CONSTRAINT members_account_id_accounts_id_fk REFERENCES accounts (id),
  role text NOT NULL,
  since timestamptz(3) DEFAULT now() NOT NULL,
  CONSTRAINT members_environment_id_account_id_pk PRIMARY KEY (environment_id, account_id),
  CONSTRAINT members_role CHECK (role IN ('viewer', 'reviewer', 'editor', 'owner'))
);
CREATE INDEX members_account ON members (account_id, since);

CREATE TABLE sign_in_failures (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  email bytea NOT NULL,
  address bytea NOT NULL,
  at timestamptz(3) DEFAULT now() NOT NULL
);
CREATE INDEX sign_in_failures_email ON sign_in_failures (email, at);
CREATE INDEX sign_in_failures_address ON sign_in_failures (address, at);
CREATE INDEX sign_in_failures_at ON sign_in_failures (at);

CREATE TABLE known_addresses (
  email bytea NOT NULL,
  address bytea NOT NULL,
  used_at timestamptz(3) DEFAULT now() NOT NULL,
  CONSTRAINT known_addresses_email_address_pk PRIMARY KEY (email, address)
);
CREATE INDEX known_addresses_used ON known_addresses (used_at);

ALTER TABLE environments
  ADD CONSTRAINT environments_owner_id_accounts_id_fk FOREIGN KEY (owner_id) REFERENCES accounts (id);
-- Processes of earlier releases treat the new right as the right to read, so they may run beside new ones.
ALTER TABLE keys
  ADD COLUMN created_by text CONSTRAINT keys_created_by_accounts_id_fk REFERENCES accounts (id),
  DROP CONSTRAINT keys_right,
  ADD CONSTRAINT keys_right CHECK ("right" IN ('full', 'review', 'read'));
CREATE INDEX keys_environment ON keys (environment_id);
UPDATE installation SET least_release = '0.1.0';

ALTER TABLE accounts ENABLE ROW LEVEL SECURITY;
ALTER TABLE sessions ENABLE ROW LEVEL SECURITY;
ALTER TABLE members ENABLE ROW LEVEL SECURITY;
ALTER TABLE sign_in_failures ENABLE ROW LEVEL SECURITY;
ALTER TABLE known_addresses ENABLE ROW LEVEL SECURITY;
CREATE POLICY all_environments ON accounts TO sightline_platform USING (true) WITH CHECK (true);
CREATE POLICY all_environments ON sessions TO sightline_platform USING (true) WITH CHECK (true);
CREATE POLICY all_environments ON members TO sightline_platform USING (true) WITH CHECK (true);
CREATE POLICY all_environments ON sign_in_failures TO sightline_platform USING (true) WITH CHECK (true);
CREATE POLICY all_environments ON known_addresses TO sightline_platform USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE
  ON accounts, sessions, members, sign_in_failures, known_addresses TO sightline_platform;
