CREATE INDEX "vector_changes_oldest" ON "vector_changes" USING btree ("id");--> statement-breakpoint
CREATE UNIQUE INDEX "source_images_original_key" ON "source_images" USING btree ("original_key") WHERE "source_images"."original_key" is not null;--> statement-breakpoint
-- Matching asks whether references are still being made for the active model.
GRANT SELECT ON jobs TO sightline_app;
--> statement-breakpoint
-- Who may see all rows may see how long a scoped transaction has been open: the oldest one holds back
-- the readers of the outbox. Roles are the cluster's: another database may grant this at this moment.
DO $$
BEGIN
  GRANT sightline_app TO sightline_platform WITH INHERIT TRUE, SET FALSE;
EXCEPTION WHEN unique_violation OR internal_error THEN
  NULL;
END
$$;
