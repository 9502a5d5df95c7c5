ALTER TABLE job_items ADD COLUMN holder uuid, ADD COLUMN alone_until timestamptz(3),
  ADD COLUMN lost_trials smallint DEFAULT 0 NOT NULL;
CREATE INDEX job_items_suspects ON job_items (alone_until)
  WHERE alone_until IS NOT NULL AND state IN ('pending', 'running');
