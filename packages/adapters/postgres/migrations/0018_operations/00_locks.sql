-- Locks the tables that this migration refers to or adds triggers to, before any other lock, in the order in which
-- transactions of a running service use them.
LOCK TABLE idempotency_keys IN ACCESS EXCLUSIVE MODE;
LOCK TABLE environments, source_images, identities, detections, face_vectors, unembeddable_faces, face_references, rejected_pairs
  IN SHARE ROW EXCLUSIVE MODE;
LOCK TABLE jobs IN ACCESS EXCLUSIVE MODE;
