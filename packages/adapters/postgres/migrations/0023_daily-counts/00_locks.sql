-- Locks the tables that this migration reads, adds triggers to or indexes, before any other lock, in the order in which
-- transactions of a running service use them.
LOCK TABLE source_images, detections, face_references, audit IN SHARE ROW EXCLUSIVE MODE;
