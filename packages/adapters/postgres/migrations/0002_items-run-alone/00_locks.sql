-- Locks every table that this migration and the next ones alter or rewrite, before any other lock, in the order in which
-- transactions of a running service use them: the models first, the item of a job last. In another order, the migration
-- and a transaction in progress would wait for each other.
LOCK TABLE environments IN SHARE ROW EXCLUSIVE MODE;
LOCK TABLE models, detections, face_vectors, face_references, identity_means, rejected_pairs, vector_changes, webhook_turns,
  job_items IN ACCESS EXCLUSIVE MODE;
