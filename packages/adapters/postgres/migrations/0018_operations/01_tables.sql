-- The comments in src/schema/operations.ts explain the tables.
CREATE TABLE operations (
  environment_id bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  kind text NOT NULL,
  user_id text,
  key_id bigint,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  count integer DEFAULT 0 NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  cleared_at timestamptz(3),
  undoes bigint,
  undone_by bigint,
  CONSTRAINT operations_environment_id_id_pk PRIMARY KEY (environment_id, id),
  CONSTRAINT operations_environment_id_environments_id_fk FOREIGN KEY (environment_id)
    REFERENCES environments (id)
);
CREATE INDEX operations_created ON operations (created_at);
CREATE INDEX operations_expiry ON operations (expires_at) WHERE cleared_at IS NULL;

CREATE TABLE operation_items (
  environment_id bigint NOT NULL,
  operation_id bigint NOT NULL,
  subject text NOT NULL,
  subject_id bigint NOT NULL,
  part text NOT NULL,
  part_id bigint NOT NULL,
  before jsonb,
  after jsonb,
  reverted_by bigint,
  CONSTRAINT operation_items_pk
    PRIMARY KEY (environment_id, operation_id, subject, subject_id, part, part_id),
  CONSTRAINT operation_items_operation FOREIGN KEY (environment_id, operation_id)
    REFERENCES operations (environment_id, id) ON DELETE CASCADE
);
CREATE INDEX operation_items_subject
  ON operation_items (environment_id, subject, subject_id, operation_id);

CREATE TABLE operation_identities (
  environment_id bigint NOT NULL,
  identity_id bigint NOT NULL,
  operation_id bigint NOT NULL,
  CONSTRAINT operation_identities_pk PRIMARY KEY (environment_id, identity_id, operation_id),
  CONSTRAINT operation_identities_operation FOREIGN KEY (environment_id, operation_id)
    REFERENCES operations (environment_id, id) ON DELETE CASCADE
);
CREATE INDEX operation_identities_of_operation
  ON operation_identities (environment_id, operation_id);

CREATE TABLE set_aside_files (
  environment_id bigint NOT NULL,
  media_key text PRIMARY KEY,
  bytes bigint NOT NULL,
  operation_id bigint NOT NULL,
  CONSTRAINT set_aside_files_operation FOREIGN KEY (environment_id, operation_id)
    REFERENCES operations (environment_id, id)
);
CREATE INDEX set_aside_files_of_operation ON set_aside_files (environment_id, operation_id);

-- A repeated answer names its operation, too.
ALTER TABLE idempotency_keys ADD COLUMN operation_id bigint;

-- A job may carry out an operation, and continues behind the last record after a crash.
ALTER TABLE jobs ADD COLUMN worked_to bigint, ADD COLUMN operation_id bigint;
CREATE INDEX jobs_of_unfinished_operations ON jobs (environment_id, operation_id)
  WHERE operation_id IS NOT NULL AND finished_at IS NULL;
