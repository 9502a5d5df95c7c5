-- Vectors do not compress. A face's vector stays in its row, so one page read fetches it.
ALTER TABLE face_vectors ALTER COLUMN vector SET STORAGE EXTERNAL;
ALTER TABLE face_vectors SET (toast_tuple_target = 8160);
ALTER TABLE identity_means ALTER COLUMN sum SET STORAGE EXTERNAL;
ALTER TABLE identity_means ALTER COLUMN mean SET STORAGE EXTERNAL;

-- These tables work like queues: rows are inserted and deleted all the time, and readers start where the
-- dead rows lie.
ALTER TABLE vector_changes SET (
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
  autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 1000);
ALTER TABLE counter_deltas SET (
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
  autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 1000);
ALTER TABLE outbox SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
ALTER TABLE job_items SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
ALTER TABLE suggested_faces SET (
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
ALTER TABLE webhook_attempts SET (
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);

-- Rows of these tables are updated often. With free space on their page an update needs no new index
-- entries.
ALTER TABLE idempotency_keys SET (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.05);
ALTER TABLE jobs SET (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.05);
ALTER TABLE job_turns SET (fillfactor = 60);
ALTER TABLE consumer_positions SET (fillfactor = 50);
ALTER TABLE feed_heads SET (fillfactor = 50);
ALTER TABLE webhook_turns SET (fillfactor = 50);
ALTER TABLE index_readers SET (fillfactor = 20);
ALTER TABLE leases SET (fillfactor = 20);
