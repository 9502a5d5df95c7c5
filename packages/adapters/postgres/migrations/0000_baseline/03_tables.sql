-- The tables of src/schema, with keys and indexes. The comments in src/schema explain the columns.

-- The installation and its environments.

CREATE TABLE environments (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  owner_id text,
  name text NOT NULL,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  CONSTRAINT environments_owner_name UNIQUE NULLS NOT DISTINCT (owner_id, name)
);

CREATE TABLE keys (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  environment_id bigint NOT NULL,
  label text NOT NULL,
  "right" text NOT NULL,
  is_admin boolean NOT NULL,
  prefix text NOT NULL,
  hash bytea NOT NULL,
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  last_used_at timestamptz(3),
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  CONSTRAINT keys_hash UNIQUE (hash),
  CONSTRAINT keys_right CHECK ("right" IN ('full', 'read')),
  CONSTRAINT keys_hash_length CHECK (octet_length(hash) = 32),
  CONSTRAINT keys_environment_id_environments_id_fk FOREIGN KEY (environment_id) REFERENCES environments (id)
);
CREATE INDEX keys_prefix ON keys (prefix);

CREATE TABLE environment_settings (
  environment_id bigint NOT NULL,
  key text NOT NULL,
  value jsonb NOT NULL,
  updated_at timestamptz(3) DEFAULT now() NOT NULL,
  CONSTRAINT environment_settings_environment_id_key_pk PRIMARY KEY (environment_id, key),
  CONSTRAINT environment_settings_environment_id_environments_id_fk FOREIGN KEY (environment_id)
    REFERENCES environments (id)
);

CREATE TABLE system_settings (
  key text PRIMARY KEY,
  value jsonb NOT NULL,
  updated_at timestamptz(3) DEFAULT now() NOT NULL
);

CREATE TABLE installation (
  is_only boolean PRIMARY KEY DEFAULT true,
  id uuid DEFAULT gen_random_uuid() NOT NULL,
  outbox_epoch uuid DEFAULT gen_random_uuid() NOT NULL,
  secret_key_check bytea,
  media_kind text,
  media_location text,
  least_release text DEFAULT '0.1.0' NOT NULL,
  CONSTRAINT installation_only CHECK (is_only),
  CONSTRAINT installation_media_kind CHECK (media_kind IN ('files', 'bucket')),
  CONSTRAINT installation_media CHECK ((media_kind IS NULL) = (media_location IS NULL))
);

CREATE TABLE leases (
  name text PRIMARY KEY,
  holder text NOT NULL,
  held_until timestamptz(3) NOT NULL
);

CREATE TABLE applied_migrations (
  name text PRIMARY KEY,
  applied_at timestamptz(3) DEFAULT now() NOT NULL
);

-- Models and jobs.

CREATE TABLE models (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  name text NOT NULL,
  digest bytea,
  task text NOT NULL,
  version text NOT NULL,
  license text NOT NULL,
  commercial_use boolean,
  commercial_use_reason text,
  provides text[] NOT NULL,
  embedding_dim integer,
  classes text[] NOT NULL,
  similarity_calibration jsonb,
  files jsonb,
  size_bytes bigint,
  status text NOT NULL,
  error text,
  download_job_id bigint,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  CONSTRAINT models_digest UNIQUE (name, digest),
  CONSTRAINT models_pinned CHECK (digest IS NOT NULL OR status IN ('available', 'downloading', 'failed')),
  CONSTRAINT models_task CHECK (task IN ('face', 'object', 'open_vocabulary')),
  CONSTRAINT models_status
    CHECK (status IN ('available', 'downloading', 'downloaded', 'loading', 'active', 'failed'))
);
CREATE UNIQUE INDEX models_unpinned ON models (name) WHERE digest IS NULL;
CREATE INDEX models_download_job ON models (download_job_id) WHERE download_job_id IS NOT NULL;
CREATE UNIQUE INDEX models_active ON models ((CASE WHEN task = 'face' THEN 'face' ELSE 'object' END))
  WHERE status = 'active';

CREATE TABLE jobs (
  environment_id bigint NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  type text NOT NULL,
  status text NOT NULL,
  total integer NOT NULL,
  done integer DEFAULT 0 NOT NULL,
  failed integer DEFAULT 0 NOT NULL,
  params jsonb NOT NULL,
  error text,
  results_key text,
  is_pruned boolean DEFAULT false NOT NULL,
  listed_to bigint,
  served_at timestamptz(3),
  paused_until timestamptz(3),
  moved_at timestamptz(3) DEFAULT now() NOT NULL,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  started_at timestamptz(3),
  finished_at timestamptz(3),
  CONSTRAINT jobs_environment_id_id_pk PRIMARY KEY (environment_id, id),
  CONSTRAINT jobs_status CHECK (status IN ('pending', 'running', 'done', 'failed')),
  CONSTRAINT jobs_environment FOREIGN KEY (environment_id) REFERENCES environments (id)
);
CREATE INDEX jobs_unfinished ON jobs (id) WHERE status IN ('pending', 'running');
CREATE INDEX jobs_failed_reembeds ON jobs (environment_id, id)
  WHERE type = 'reembed' AND (status = 'failed' OR status = 'done' AND done = 0 AND failed > 0);
CREATE INDEX jobs_to_prune ON jobs (finished_at) WHERE NOT is_pruned AND finished_at IS NOT NULL;
CREATE UNIQUE INDEX jobs_results_key ON jobs (results_key) WHERE results_key IS NOT NULL;

CREATE TABLE job_items (
  environment_id bigint NOT NULL,
  job_id bigint NOT NULL,
  index integer NOT NULL,
  input json NOT NULL,
  upload_key text,
  state text DEFAULT 'pending' NOT NULL,
  deaths smallint DEFAULT 0 NOT NULL,
  result json,
  error json,
  token uuid,
  lease_until timestamptz(3),
  finished_at timestamptz(3),
  CONSTRAINT job_items_environment_id_job_id_index_pk PRIMARY KEY (environment_id, job_id, index),
  CONSTRAINT job_items_state CHECK (state IN ('pending', 'running', 'done', 'failed')),
  CONSTRAINT job_items_job FOREIGN KEY (environment_id, job_id)
    REFERENCES jobs (environment_id, id) ON DELETE CASCADE
);
CREATE INDEX job_items_pending ON job_items (environment_id, job_id, index) WHERE state = 'pending';
CREATE INDEX job_items_running ON job_items (lease_until) WHERE state = 'running';
CREATE UNIQUE INDEX job_items_upload_key ON job_items (upload_key) WHERE upload_key IS NOT NULL;

CREATE TABLE job_turns (
  environment_id bigint PRIMARY KEY,
  served_at timestamptz(3) NOT NULL,
  CONSTRAINT job_turns_environment_id_environments_id_fk FOREIGN KEY (environment_id)
    REFERENCES environments (id)
);

CREATE TABLE activations (
  slot text PRIMARY KEY,
  model_id bigint,
  job_environment_id bigint,
  job_id bigint,
  cancelled_at timestamptz(3),
  previous_id bigint,
  switched_at timestamptz(3),
  horizon xid8,
  rolled_back text,
  CONSTRAINT activations_slot CHECK (slot IN ('face', 'object')),
  CONSTRAINT activations_model_id_models_id_fk FOREIGN KEY (model_id) REFERENCES models (id),
  CONSTRAINT activations_previous_id_models_id_fk FOREIGN KEY (previous_id) REFERENCES models (id),
  CONSTRAINT activations_job FOREIGN KEY (job_environment_id, job_id)
    REFERENCES jobs (environment_id, id) ON DELETE SET NULL
);

CREATE TABLE embedding_backlogs (
  environment_id bigint NOT NULL,
  model_id bigint NOT NULL,
  job_id bigint NOT NULL,
  CONSTRAINT embedding_backlogs_environment_id_model_id_pk PRIMARY KEY (environment_id, model_id),
  CONSTRAINT embedding_backlogs_model_id_models_id_fk FOREIGN KEY (model_id) REFERENCES models (id),
  CONSTRAINT embedding_backlogs_job FOREIGN KEY (environment_id, job_id)
    REFERENCES jobs (environment_id, id) ON DELETE CASCADE
);

-- Images, identities and detections.

CREATE TABLE source_images (
  environment_id bigint NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  digest bytea NOT NULL,
  size_bytes bigint NOT NULL,
  format text NOT NULL,
  width integer NOT NULL,
  height integer NOT NULL,
  stored_width integer NOT NULL,
  stored_height integer NOT NULL,
  media_key text NOT NULL,
  media_bytes bigint NOT NULL,
  original_key text,
  external_ref text,
  uploaded_at timestamptz(3) DEFAULT now() NOT NULL,
  face_count integer DEFAULT 0 NOT NULL,
  object_count integer DEFAULT 0 NOT NULL,
  tagged_face_count integer DEFAULT 0 NOT NULL,
  manual_count integer DEFAULT 0 NOT NULL,
  detection_count integer GENERATED ALWAYS AS (face_count + object_count) STORED NOT NULL,
  traits integer
    GENERATED ALWAYS AS (
      (face_count > 0)::int * 1 +
      (object_count > 0)::int * 2 +
      (tagged_face_count > 0)::int * 4 +
      (manual_count > 0)::int * 8)
    STORED NOT NULL,
  CONSTRAINT source_images_environment_id_id_pk PRIMARY KEY (environment_id, id),
  CONSTRAINT source_images_digest UNIQUE (environment_id, digest),
  CONSTRAINT source_images_media_key UNIQUE (media_key),
  CONSTRAINT source_images_digest_length CHECK (octet_length(digest) = 32),
  CONSTRAINT source_images_environment_id_environments_id_fk FOREIGN KEY (environment_id)
    REFERENCES environments (id)
);
CREATE UNIQUE INDEX source_images_original_key ON source_images (original_key) WHERE original_key IS NOT NULL;
CREATE INDEX source_images_external_ref ON source_images (environment_id, external_ref, uploaded_at, id);
CREATE INDEX source_images_uploaded
  ON source_images (environment_id, traits, uploaded_at, id, detection_count);
CREATE INDEX source_images_counted ON source_images (environment_id, traits, detection_count, id, uploaded_at);

CREATE TABLE identities (
  environment_id bigint NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  type text NOT NULL,
  label text COLLATE "C" NOT NULL,
  folded_label text COLLATE "C" GENERATED ALWAYS AS (folded_name(label)) STORED NOT NULL,
  external_ref text,
  cover_detection_id bigint,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  deleting_since timestamptz(3),
  merged_into bigint,
  CONSTRAINT identities_environment_id_id_pk PRIMARY KEY (environment_id, id),
  CONSTRAINT identities_type CHECK (type IN ('face', 'object')),
  CONSTRAINT identities_merging_is_deleting CHECK (merged_into IS NULL OR deleting_since IS NOT NULL),
  CONSTRAINT identities_environment_id_environments_id_fk FOREIGN KEY (environment_id)
    REFERENCES environments (id),
  CONSTRAINT identities_merged_into FOREIGN KEY (environment_id, merged_into)
    REFERENCES identities (environment_id, id)
);
CREATE UNIQUE INDEX identities_label ON identities (environment_id, type, label) WHERE deleting_since IS NULL;
CREATE INDEX identities_deleting ON identities (environment_id, id) WHERE deleting_since IS NOT NULL;
CREATE INDEX identities_merging ON identities (environment_id, merged_into) WHERE merged_into IS NOT NULL;
CREATE INDEX identities_list ON identities (environment_id, label, type, id, folded_label)
  WHERE deleting_since IS NULL;
CREATE INDEX identities_by_length
  ON identities (environment_id, char_length(folded_label), label, type, id, folded_label)
  WHERE deleting_since IS NULL;
CREATE INDEX identities_external_ref ON identities (environment_id, external_ref);
CREATE INDEX identities_cover ON identities (environment_id, cover_detection_id)
  WHERE cover_detection_id IS NOT NULL;
CREATE INDEX identities_name
  ON identities USING gin (environment_id, folded_label gin_trgm_ops, name_pairs(folded_label))
  WITH (fastupdate = false);

CREATE TABLE detections (
  environment_id bigint NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  source_image_id bigint NOT NULL,
  type text NOT NULL,
  bbox_x double precision NOT NULL,
  bbox_y double precision NOT NULL,
  bbox_w double precision NOT NULL,
  bbox_h double precision NOT NULL,
  confidence double precision NOT NULL,
  quality double precision,
  landmarks double precision[],
  class_id integer,
  class_name text,
  identity_id bigint,
  similarity double precision,
  review_status text NOT NULL,
  decided_by text NOT NULL,
  is_manual boolean NOT NULL,
  embedding_source text,
  age smallint,
  gender text,
  pose double precision[],
  crop_key text NOT NULL,
  crop_bytes integer NOT NULL,
  dismissed_at timestamptz(3),
  mismatch_reviewed boolean DEFAULT false NOT NULL,
  detected_at timestamptz(3) DEFAULT now() NOT NULL,
  CONSTRAINT detections_environment_id_id_pk PRIMARY KEY (environment_id, id),
  CONSTRAINT detections_crop_key UNIQUE (crop_key),
  CONSTRAINT detections_type CHECK (type IN ('face', 'object')),
  CONSTRAINT detections_review_status CHECK (review_status IN ('pending', 'confirmed', 'rejected')),
  CONSTRAINT detections_decided_by CHECK (decided_by IN ('automatic', 'human')),
  CONSTRAINT detections_embedding_source CHECK (embedding_source IN ('aligned', 'box')),
  CONSTRAINT detections_gender CHECK (gender IN ('M', 'F')),
  CONSTRAINT detections_landmarks CHECK (cardinality(landmarks) = 10),
  CONSTRAINT detections_pose CHECK (cardinality(pose) = 3),
  CONSTRAINT detections_rejected_unassigned CHECK (review_status <> 'rejected' OR identity_id IS NULL),
  CONSTRAINT detections_source_image FOREIGN KEY (environment_id, source_image_id)
    REFERENCES source_images (environment_id, id),
  CONSTRAINT detections_identity FOREIGN KEY (environment_id, identity_id)
    REFERENCES identities (environment_id, id)
);
CREATE INDEX detections_of_source ON detections (environment_id, source_image_id, id);
CREATE INDEX detections_of_identity
  ON detections (environment_id, identity_id, detected_at, id, source_image_id)
  WHERE identity_id IS NOT NULL;
CREATE INDEX detections_review_queue ON detections (environment_id, confidence, id)
  WHERE type = 'face' AND review_status = 'pending' AND dismissed_at IS NULL;
CREATE INDEX detections_unknown ON detections (environment_id, detected_at, id)
  WHERE type = 'face' AND identity_id IS NULL;
-- If the cover of an identity is deleted, only this column becomes null. Drizzle's schema cannot express ON
-- DELETE SET NULL for a single column.
ALTER TABLE identities ADD CONSTRAINT identities_cover_detection
  FOREIGN KEY (environment_id, cover_detection_id) REFERENCES detections (environment_id, id)
  ON DELETE SET NULL (cover_detection_id);

CREATE VIEW assigned_identities WITH (security_invoker = true) AS
  SELECT i.environment_id, i.id AS row_id,
    CASE WHEN i.merged_into IS NULL THEN i.id ELSE i.merged_into END AS id, i.type,
    CASE WHEN i.merged_into IS NULL THEN i.label ELSE (
      SELECT t.label FROM identities t
      WHERE t.environment_id = i.environment_id AND t.id = i.merged_into) END AS label
  FROM identities i
  WHERE i.deleting_since IS NULL OR i.merged_into IS NOT NULL;

-- Matching.

CREATE TABLE face_vectors (
  environment_id bigint NOT NULL,
  detection_id bigint NOT NULL,
  model_id bigint NOT NULL,
  vector bytea NOT NULL,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  CONSTRAINT face_vectors_environment_id_detection_id_model_id_pk
    PRIMARY KEY (environment_id, detection_id, model_id),
  CONSTRAINT face_vectors_model_id_models_id_fk FOREIGN KEY (model_id) REFERENCES models (id),
  CONSTRAINT face_vectors_detection FOREIGN KEY (environment_id, detection_id)
    REFERENCES detections (environment_id, id) ON DELETE CASCADE
);

CREATE TABLE face_references (
  environment_id bigint NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  identity_id bigint NOT NULL,
  detection_id bigint NOT NULL,
  model_id bigint NOT NULL,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  CONSTRAINT face_references_environment_id_id_pk PRIMARY KEY (environment_id, id),
  CONSTRAINT face_references_vector UNIQUE (environment_id, detection_id, model_id),
  CONSTRAINT face_references_vector_fk FOREIGN KEY (environment_id, detection_id, model_id)
    REFERENCES face_vectors (environment_id, detection_id, model_id),
  CONSTRAINT face_references_identity FOREIGN KEY (environment_id, identity_id)
    REFERENCES identities (environment_id, id)
);
CREATE INDEX face_references_of_identity ON face_references (environment_id, identity_id, id);

CREATE TABLE identity_means (
  environment_id bigint NOT NULL,
  identity_id bigint NOT NULL,
  model_id bigint NOT NULL,
  reference_count integer NOT NULL,
  sum bytea NOT NULL,
  mean bytea,
  CONSTRAINT identity_means_environment_id_identity_id_model_id_pk
    PRIMARY KEY (environment_id, identity_id, model_id),
  CONSTRAINT identity_means_count CHECK (reference_count > 0),
  CONSTRAINT identity_means_model_id_models_id_fk FOREIGN KEY (model_id) REFERENCES models (id),
  CONSTRAINT identity_means_identity FOREIGN KEY (environment_id, identity_id)
    REFERENCES identities (environment_id, id)
);

CREATE TABLE rejected_pairs (
  environment_id bigint NOT NULL,
  detection_id bigint NOT NULL,
  identity_id bigint NOT NULL,
  rejected_at timestamptz(3) DEFAULT now() NOT NULL,
  sequence bigint GENERATED ALWAYS AS IDENTITY,
  is_latest boolean DEFAULT false NOT NULL,
  CONSTRAINT rejected_pairs_environment_id_detection_id_identity_id_pk
    PRIMARY KEY (environment_id, detection_id, identity_id),
  CONSTRAINT rejected_pairs_detection FOREIGN KEY (environment_id, detection_id)
    REFERENCES detections (environment_id, id) ON DELETE CASCADE,
  CONSTRAINT rejected_pairs_identity FOREIGN KEY (environment_id, identity_id)
    REFERENCES identities (environment_id, id) ON DELETE CASCADE
);
CREATE INDEX rejected_pairs_of_identity ON rejected_pairs (environment_id, identity_id, detection_id);

CREATE TABLE suggestions (
  environment_id bigint NOT NULL,
  detection_id bigint NOT NULL,
  model_id bigint NOT NULL,
  identity_id bigint NOT NULL,
  similarity double precision NOT NULL,
  CONSTRAINT suggestions_environment_id_detection_id_model_id_identity_id_pk
    PRIMARY KEY (environment_id, detection_id, model_id, identity_id),
  CONSTRAINT suggestions_detection FOREIGN KEY (environment_id, detection_id)
    REFERENCES detections (environment_id, id) ON DELETE CASCADE,
  CONSTRAINT suggestions_identity FOREIGN KEY (environment_id, identity_id)
    REFERENCES identities (environment_id, id) ON DELETE CASCADE
);
CREATE INDEX suggestions_of_identity ON suggestions (environment_id, identity_id, detection_id, model_id);

CREATE TABLE suggested_faces (
  environment_id bigint NOT NULL,
  detection_id bigint NOT NULL,
  model_id bigint NOT NULL,
  confidence double precision NOT NULL,
  similarity double precision NOT NULL,
  CONSTRAINT suggested_faces_environment_id_detection_id_model_id_pk
    PRIMARY KEY (environment_id, detection_id, model_id),
  CONSTRAINT suggested_faces_detection FOREIGN KEY (environment_id, detection_id)
    REFERENCES detections (environment_id, id) ON DELETE CASCADE
);
CREATE INDEX suggested_faces_queue
  ON suggested_faces (environment_id, model_id, confidence, detection_id, similarity);

-- Rows that triggers write: counters, and changes for the vector indexes.

CREATE TABLE counter_deltas (
  environment_id bigint NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  counter text NOT NULL,
  subject_id bigint NOT NULL,
  model_id bigint NOT NULL,
  delta bigint NOT NULL,
  is_folded boolean DEFAULT false NOT NULL,
  CONSTRAINT counter_deltas_environment_id_id_pk PRIMARY KEY (environment_id, id)
);
CREATE INDEX counter_deltas_of_counter ON counter_deltas (environment_id, counter, subject_id, model_id);
CREATE INDEX counter_deltas_to_fold ON counter_deltas (id) WHERE NOT is_folded;

CREATE TABLE index_readers (
  name text PRIMARY KEY,
  id bigint GENERATED ALWAYS AS IDENTITY,
  filling integer,
  filled_at timestamptz(3),
  rebuild_requested_at timestamptz(3),
  last_seen_at timestamptz(3) DEFAULT now() NOT NULL,
  compared_at timestamptz(3),
  drift jsonb,
  CONSTRAINT index_readers_id UNIQUE (id)
);

CREATE TABLE vector_changes (
  environment_id bigint NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  reader_id bigint NOT NULL,
  model_id bigint NOT NULL,
  kind text NOT NULL,
  entity_id bigint NOT NULL,
  CONSTRAINT vector_changes_environment_id_id_pk PRIMARY KEY (environment_id, id),
  CONSTRAINT vector_changes_kind CHECK (kind IN ('faces', 'references', 'means'))
);
CREATE INDEX vector_changes_of_space ON vector_changes (environment_id, reader_id, model_id, kind, entity_id);
CREATE INDEX vector_changes_oldest ON vector_changes (reader_id, id);

-- Events.

CREATE TABLE outbox (
  xid xid8 DEFAULT pg_current_xact_id() NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  environment_id bigint NOT NULL,
  event_id uuid DEFAULT uuidv7() NOT NULL,
  event text NOT NULL,
  version smallint NOT NULL,
  data json NOT NULL,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  CONSTRAINT outbox_xid_id_pk PRIMARY KEY (xid, id)
);
CREATE INDEX outbox_by_environment ON outbox (environment_id, xid, id);

CREATE TABLE consumer_positions (
  environment_id bigint NOT NULL,
  consumer text NOT NULL,
  xid xid8 NOT NULL,
  id bigint NOT NULL,
  CONSTRAINT consumer_positions_environment_id_consumer_pk PRIMARY KEY (environment_id, consumer),
  CONSTRAINT consumer_positions_environment_id_environments_id_fk FOREIGN KEY (environment_id)
    REFERENCES environments (id)
);

CREATE TABLE feed_entries (
  environment_id bigint NOT NULL,
  id bigint NOT NULL,
  event_id uuid NOT NULL,
  entity_type text NOT NULL,
  entity_id bigint NOT NULL,
  action text NOT NULL,
  external_ref text,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT feed_entries_environment_id_id_pk PRIMARY KEY (environment_id, id)
);

CREATE TABLE feed_heads (
  environment_id bigint PRIMARY KEY,
  last_id bigint NOT NULL,
  CONSTRAINT feed_heads_environment_id_environments_id_fk FOREIGN KEY (environment_id)
    REFERENCES environments (id)
);

CREATE TABLE relay_positions (
  topic text PRIMARY KEY,
  xid xid8 NOT NULL,
  id bigint NOT NULL,
  moved_at timestamptz(3) DEFAULT now() NOT NULL
);

-- Webhooks.

CREATE TABLE webhooks (
  environment_id bigint NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  url text NOT NULL,
  events text[] NOT NULL,
  label text,
  is_active boolean DEFAULT true NOT NULL,
  disabled_reason text,
  is_setting boolean DEFAULT false NOT NULL,
  secret bytea,
  previous_secret bytea,
  secret_changed_at timestamptz(3),
  active_from pg_snapshot DEFAULT pg_current_snapshot() NOT NULL,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  CONSTRAINT webhooks_environment_id_id_pk PRIMARY KEY (environment_id, id),
  CONSTRAINT webhooks_environment_id_environments_id_fk FOREIGN KEY (environment_id)
    REFERENCES environments (id)
);
CREATE UNIQUE INDEX webhooks_setting ON webhooks (environment_id) WHERE is_setting;

CREATE TABLE webhook_turns (
  environment_id bigint NOT NULL,
  webhook_id bigint NOT NULL,
  xid xid8 NOT NULL,
  id bigint NOT NULL,
  due_at timestamptz(3),
  token uuid,
  lease_until timestamptz(3),
  failing_since timestamptz(3),
  failures integer DEFAULT 0 NOT NULL,
  CONSTRAINT webhook_turns_environment_id_webhook_id_pk PRIMARY KEY (environment_id, webhook_id),
  CONSTRAINT webhook_turns_webhook FOREIGN KEY (environment_id, webhook_id)
    REFERENCES webhooks (environment_id, id) ON DELETE CASCADE
);
CREATE INDEX webhook_turns_due ON webhook_turns (due_at);

CREATE TABLE webhook_attempts (
  environment_id bigint NOT NULL,
  webhook_id bigint NOT NULL,
  xid xid8 NOT NULL,
  id bigint NOT NULL,
  event_id uuid NOT NULL,
  event text NOT NULL,
  body bytea NOT NULL,
  attempt smallint NOT NULL,
  due_at timestamptz(3) NOT NULL,
  CONSTRAINT webhook_attempts_environment_id_webhook_id_xid_id_pk
    PRIMARY KEY (environment_id, webhook_id, xid, id),
  CONSTRAINT webhook_attempts_webhook FOREIGN KEY (environment_id, webhook_id)
    REFERENCES webhooks (environment_id, id) ON DELETE CASCADE
);
CREATE INDEX webhook_attempts_first ON webhook_attempts (environment_id, webhook_id, xid, id)
  WHERE attempt = 1;
CREATE INDEX webhook_attempts_repeated ON webhook_attempts (environment_id, webhook_id, due_at)
  WHERE attempt > 1;

CREATE TABLE webhook_deliveries (
  environment_id bigint NOT NULL,
  webhook_id bigint NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  event_id uuid NOT NULL,
  event text NOT NULL,
  attempt smallint NOT NULL,
  status_code smallint,
  ok boolean NOT NULL,
  duration_ms integer NOT NULL,
  error text,
  created_at timestamptz(3) NOT NULL,
  next_attempt_at timestamptz(3),
  CONSTRAINT webhook_deliveries_environment_id_webhook_id_id_pk PRIMARY KEY (environment_id, webhook_id, id),
  CONSTRAINT webhook_deliveries_attempt CHECK (attempt > 0),
  CONSTRAINT webhook_deliveries_webhook FOREIGN KEY (environment_id, webhook_id)
    REFERENCES webhooks (environment_id, id) ON DELETE CASCADE
);
CREATE INDEX webhook_deliveries_age ON webhook_deliveries USING brin (created_at) WITH (autosummarize = true);

-- Requests.

CREATE TABLE idempotency_keys (
  environment_id bigint NOT NULL,
  key text NOT NULL,
  fingerprint bytea NOT NULL,
  token uuid NOT NULL,
  lease_until timestamptz(3) NOT NULL,
  status smallint,
  body json,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  CONSTRAINT idempotency_keys_environment_id_key_pk PRIMARY KEY (environment_id, key)
);
CREATE INDEX idempotency_keys_created ON idempotency_keys (created_at);

CREATE TABLE audit (
  environment_id bigint NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  at timestamptz(3) DEFAULT now() NOT NULL,
  key_id bigint,
  action text NOT NULL,
  entity_type text NOT NULL,
  entity_id bigint,
  details jsonb NOT NULL,
  CONSTRAINT audit_environment_id_id_pk PRIMARY KEY (environment_id, id)
);
CREATE INDEX audit_at ON audit (environment_id, at, id);
INSERT INTO installation DEFAULT VALUES;
