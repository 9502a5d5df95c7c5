-- The audit of one key.
CREATE INDEX audit_key ON audit (environment_id, key_id, at, id) WHERE key_id IS NOT NULL;
