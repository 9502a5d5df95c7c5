CREATE INDEX "vector_changes_oldest" ON "vector_changes" USING btree ("id");--> statement-breakpoint
CREATE UNIQUE INDEX "source_images_original_key" ON "source_images" USING btree ("original_key") WHERE "source_images"."original_key" is not null;--> statement-breakpoint
-- Matching asks whether references are still being made for the active model.
GRANT SELECT ON jobs TO sightline_app;
--> statement-breakpoint
-- Who may see all rows may see how long a scoped transaction has been open: the oldest one holds back
-- the readers of the outbox. Memberships are the cluster's: another database may have granted this, or
-- be about to at this moment.
DO $$
BEGIN
  IF NOT pg_has_role('sightline_platform', 'sightline_app', 'USAGE') THEN
    GRANT sightline_app TO sightline_platform WITH INHERIT TRUE, SET FALSE;
  END IF;
EXCEPTION WHEN unique_violation OR internal_error THEN
  NULL;
END
$$;
