-- The index has two more columns. The previous release uses it like the old one.
DROP INDEX "webhook_turns_due";
CREATE INDEX "webhook_turns_due" ON "webhook_turns" USING btree ("due_at","environment_id","webhook_id");
UPDATE installation SET least_release = '0.1.0';
