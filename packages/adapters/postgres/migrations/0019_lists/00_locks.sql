-- Locks every table that this migration alters, before any other lock, in the order in which transactions of a running
-- service use them.
LOCK TABLE environments IN SHARE ROW EXCLUSIVE MODE;
LOCK TABLE source_images, identities, detections, suggested_faces, counter_deltas IN ACCESS EXCLUSIVE MODE;
LOCK TABLE mismatch_scores IN SHARE ROW EXCLUSIVE MODE;
