CREATE TABLE "index_readers" (
	"name" text PRIMARY KEY NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "index_readers_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"filling" integer,
	"filled_at" timestamp (3) with time zone,
	"rebuild_requested_at" timestamp (3) with time zone,
	"last_seen_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"compared_at" timestamp (3) with time zone,
	"drift" jsonb,
	CONSTRAINT "index_readers_id" UNIQUE("id")
);
--> statement-breakpoint
CREATE TABLE "installation" (
	"is_only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"media_kind" text,
	"media_place" text,
	CONSTRAINT "installation_only" CHECK ("installation"."is_only"),
	CONSTRAINT "installation_media_kind" CHECK ("installation"."media_kind" in ('files', 'bucket')),
	CONSTRAINT "installation_media" CHECK (("installation"."media_kind" is null) = ("installation"."media_place" is null))
);
--> statement-breakpoint
CREATE TABLE "leases" (
	"name" text PRIMARY KEY NOT NULL,
	"holder" text NOT NULL,
	"held_until" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
DROP INDEX "vector_changes_of_space";--> statement-breakpoint
DROP INDEX "vector_changes_oldest";--> statement-breakpoint
-- Whoever keeps an index registers and fills it anew: what was noted for nobody in particular is of no
-- use any more.
TRUNCATE vector_changes;--> statement-breakpoint
ALTER TABLE "vector_changes" ADD COLUMN "reader_id" bigint NOT NULL;--> statement-breakpoint
CREATE INDEX "vector_changes_of_space" ON "vector_changes" USING btree ("environment_id","reader_id","model_id","kind","entity_id");--> statement-breakpoint
CREATE INDEX "vector_changes_oldest" ON "vector_changes" USING btree ("reader_id","id");
--> statement-breakpoint
INSERT INTO installation DEFAULT VALUES;
--> statement-breakpoint
-- Matching asks how the index stands that its process searches in.
GRANT SELECT ON index_readers TO sightline_app;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON index_readers, leases TO sightline_platform;
--> statement-breakpoint
GRANT SELECT, UPDATE ON installation TO sightline_platform;
--> statement-breakpoint
-- Processes that leave migrations to others ask whether they know this schema.
GRANT USAGE ON SCHEMA drizzle TO sightline_platform;
--> statement-breakpoint
GRANT SELECT ON drizzle.__drizzle_migrations TO sightline_platform;
--> statement-breakpoint
-- Few rows that change all the time: with room on their page, their index entries stay as they are.
ALTER TABLE index_readers SET (fillfactor = 20);
--> statement-breakpoint
ALTER TABLE leases SET (fillfactor = 20);
--> statement-breakpoint
-- What changes is noted once for each registered reader. A trigger runs after its transaction has a
-- number and sees what was committed until then: of a reader that registered, it knows unless its
-- transaction was under way by then, and for the end of those the reader waits.
DO $migration$
DECLARE
  indexed record;
BEGIN
  FOR indexed IN VALUES
    ('face_vectors', 'faces', 'detection_id', 'n.vector IS DISTINCT FROM o.vector'),
    ('face_references', 'references', 'id', 'n.identity_id IS DISTINCT FROM o.identity_id'),
    ('identity_means', 'means', 'identity_id', 'n.mean IS DISTINCT FROM o.mean')
  LOOP
    EXECUTE format($template$
      CREATE OR REPLACE FUNCTION note_%1$s() RETURNS trigger
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $body$
      BEGIN
        IF TG_OP = 'INSERT' THEN
          INSERT INTO vector_changes (environment_id, reader_id, model_id, kind, entity_id)
          SELECT n.environment_id, r.id, n.model_id, %2$L, n.%3$I
          FROM new_rows n CROSS JOIN index_readers r;
        ELSIF TG_OP = 'DELETE' THEN
          INSERT INTO vector_changes (environment_id, reader_id, model_id, kind, entity_id)
          SELECT o.environment_id, r.id, o.model_id, %2$L, o.%3$I
          FROM old_rows o CROSS JOIN index_readers r;
        ELSE
          INSERT INTO vector_changes (environment_id, reader_id, model_id, kind, entity_id)
          SELECT environment_id, r.reader_id, model_id, %2$L, %3$I
          FROM new_rows n JOIN old_rows o USING (environment_id, model_id, %3$I)
          CROSS JOIN (SELECT id FROM index_readers) AS r (reader_id)
          WHERE %4$s;
        END IF;
        RETURN NULL;
      END
      $body$;
    $template$, indexed.column1, indexed.column2, indexed.column3, indexed.column4);
  END LOOP;
END
$migration$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION note_detections() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO vector_changes (environment_id, reader_id, model_id, kind, entity_id)
  SELECT environment_id, r.reader_id, v.model_id, 'faces', v.detection_id
  FROM new_rows n
  JOIN old_rows o USING (environment_id, id)
  JOIN face_vectors v USING (environment_id)
  CROSS JOIN (SELECT id FROM index_readers) AS r (reader_id)
  WHERE v.detection_id = n.id AND n.identity_id IS DISTINCT FROM o.identity_id;
  RETURN NULL;
END
$$;
