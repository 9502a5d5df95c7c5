CREATE INDEX "webhook_turns_by_failures" ON "webhook_turns" USING btree ("environment_id","failures","due_at");
