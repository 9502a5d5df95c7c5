-- Locks every table that this migration alters, before any other lock, in the order in which transactions of a running
-- service use them.
LOCK TABLE environments, models IN SHARE ROW EXCLUSIVE MODE;
LOCK TABLE environment_settings, detections, face_references, rejected_pairs, suggestions, vector_changes
  IN ACCESS EXCLUSIVE MODE;
