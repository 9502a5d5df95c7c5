CREATE TABLE logins (
  issuer text NOT NULL,
  subject text NOT NULL,
  account_id text NOT NULL CONSTRAINT logins_account_id_accounts_id_fk REFERENCES accounts (id),
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  CONSTRAINT logins_issuer_subject_pk PRIMARY KEY (issuer, subject),
  CONSTRAINT logins_account UNIQUE (account_id, issuer)
);

ALTER TABLE logins ENABLE ROW LEVEL SECURITY;
CREATE POLICY all_environments ON logins TO sightline_platform USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON logins TO sightline_platform;
