-- Vectors do not compress, so compression is off. A face's vector stays in its table row, so that one page
-- read fetches the vector.
ALTER TABLE face_vectors ALTER COLUMN vector SET STORAGE EXTERNAL;
ALTER TABLE face_vectors SET (toast_tuple_target = 8160);
ALTER TABLE identity_means ALTER COLUMN sum SET STORAGE EXTERNAL;
ALTER TABLE identity_means ALTER COLUMN mean SET STORAGE EXTERNAL;

-- Rows of these tables are inserted and deleted all the time, as in a queue. Frequent vacuums remove the dead
-- rows, over which readers of the oldest rows would otherwise step.
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

-- Rows of these tables are updated often. Free space on a page keeps the updated row on the same page, so
-- that the update needs no new index entries.
ALTER TABLE idempotency_keys SET (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.05);
ALTER TABLE jobs SET (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.05);
ALTER TABLE job_turns SET (fillfactor = 60);
ALTER TABLE consumer_positions SET (fillfactor = 50);
ALTER TABLE feed_heads SET (fillfactor = 50);
ALTER TABLE webhook_turns SET (fillfactor = 50);
ALTER TABLE index_readers SET (fillfactor = 20);
ALTER TABLE leases SET (fillfactor = 20);
