DROP INDEX "detections_of_identity";--> statement-breakpoint
DROP INDEX "source_images_external_ref";--> statement-breakpoint
DROP INDEX "source_images_uploaded";--> statement-breakpoint
ALTER TABLE "source_images" ADD COLUMN "face_count" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "source_images" ADD COLUMN "object_count" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "source_images" ADD COLUMN "tagged_face_count" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "source_images" ADD COLUMN "manual_count" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
-- Before the generated columns, which rewrite the table: what the update leaves behind goes with it.
UPDATE source_images s SET
  face_count = d.faces, object_count = d.objects, tagged_face_count = d.tagged_faces,
  manual_count = d.manual
FROM (
  SELECT environment_id, source_image_id,
    count(*) FILTER (WHERE type = 'face') AS faces,
    count(*) FILTER (WHERE type = 'object') AS objects,
    count(*) FILTER (WHERE type = 'face' AND identity_id IS NOT NULL) AS tagged_faces,
    count(*) FILTER (WHERE is_manual) AS manual
  FROM detections GROUP BY environment_id, source_image_id
) AS d
WHERE s.environment_id = d.environment_id AND s.id = d.source_image_id;
--> statement-breakpoint
ALTER TABLE "source_images" ADD COLUMN "detection_count" integer GENERATED ALWAYS AS (face_count + object_count) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "source_images" ADD COLUMN "traits" integer GENERATED ALWAYS AS ((face_count > 0)::int * 1 + (object_count > 0)::int * 2 + (tagged_face_count > 0)::int * 4 + (manual_count > 0)::int * 8) STORED NOT NULL;--> statement-breakpoint
CREATE INDEX "source_images_counted" ON "source_images" USING btree ("environment_id","traits","detection_count","id","uploaded_at");--> statement-breakpoint
CREATE INDEX "detections_of_identity" ON "detections" USING btree ("environment_id","identity_id","detected_at","id","source_image_id") WHERE "detections"."identity_id" is not null;--> statement-breakpoint
CREATE INDEX "source_images_external_ref" ON "source_images" USING btree ("environment_id","external_ref","uploaded_at","id");--> statement-breakpoint
CREATE INDEX "source_images_uploaded" ON "source_images" USING btree ("environment_id","traits","uploaded_at","id","detection_count");
--> statement-breakpoint
GRANT CREATE ON SCHEMA public TO sightline_platform;
--> statement-breakpoint
-- What an image has is counted once per statement, as the counters are. All rows of the images are locked
-- in the order of their ids before the first one changes: of two statements about the same images, one
-- waits for the other. Images whose counts stay, as in a merge, are not touched.
DO $migration$
DECLARE
  event record;
BEGIN
  FOR event IN VALUES
    ('added', 'INSERT', 'NEW TABLE AS new_rows', 'SELECT 1 AS sign, * FROM new_rows'),
    ('changed', 'UPDATE', 'OLD TABLE AS old_rows NEW TABLE AS new_rows',
      'SELECT 1 AS sign, * FROM new_rows UNION ALL SELECT -1, * FROM old_rows'),
    ('removed', 'DELETE', 'OLD TABLE AS old_rows', 'SELECT -1 AS sign, * FROM old_rows')
  LOOP
    EXECUTE format($template$
      CREATE FUNCTION count_%1$s_detections() RETURNS trigger
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $body$
      BEGIN
        WITH changes AS (
          SELECT environment_id, source_image_id,
            sum(sign * (type = 'face')::int) AS faces,
            sum(sign * (type = 'object')::int) AS objects,
            sum(sign * (type = 'face' AND identity_id IS NOT NULL)::int) AS tagged_faces,
            sum(sign * is_manual::int) AS manual
          FROM (%4$s) AS r
          GROUP BY environment_id, source_image_id
        ), locked AS MATERIALIZED (
          SELECT c.* FROM changes c
          JOIN source_images s ON s.environment_id = c.environment_id AND s.id = c.source_image_id
          WHERE (c.faces, c.objects, c.tagged_faces, c.manual) <> (0, 0, 0, 0)
          ORDER BY s.id FOR NO KEY UPDATE OF s
        )
        UPDATE source_images s SET
          face_count = face_count + l.faces,
          object_count = object_count + l.objects,
          tagged_face_count = tagged_face_count + l.tagged_faces,
          manual_count = manual_count + l.manual
        FROM locked l WHERE s.environment_id = l.environment_id AND s.id = l.source_image_id;
        RETURN NULL;
      END
      $body$;
      ALTER FUNCTION count_%1$s_detections() OWNER TO sightline_platform;
      CREATE TRIGGER counted_%1$s_in_source AFTER %2$s ON detections
        REFERENCING %3$s
        FOR EACH STATEMENT EXECUTE FUNCTION count_%1$s_detections();
    $template$, event.column1, event.column2, event.column3, event.column4);
  END LOOP;
END
$migration$;
--> statement-breakpoint
REVOKE CREATE ON SCHEMA public FROM sightline_platform;
