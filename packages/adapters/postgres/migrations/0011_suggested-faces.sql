CREATE TABLE "suggested_faces" (
	"environment_id" bigint NOT NULL,
	"detection_id" bigint NOT NULL,
	"model_id" bigint NOT NULL,
	"confidence" double precision NOT NULL,
	"similarity" double precision NOT NULL,
	CONSTRAINT "suggested_faces_environment_id_detection_id_model_id_pk" PRIMARY KEY("environment_id","detection_id","model_id")
);
--> statement-breakpoint
ALTER TABLE "suggested_faces" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "suggested_faces" ADD CONSTRAINT "suggested_faces_detection" FOREIGN KEY ("environment_id","detection_id") REFERENCES "public"."detections"("environment_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "suggested_faces_queue" ON "suggested_faces" USING btree ("environment_id","model_id","confidence","detection_id","similarity");--> statement-breakpoint
CREATE POLICY "one_environment" ON "suggested_faces" AS PERMISSIVE FOR ALL TO "sightline_app" USING ("suggested_faces"."environment_id" = nullif(current_setting('sightline.environment_id', true), '')::bigint) WITH CHECK ("suggested_faces"."environment_id" = nullif(current_setting('sightline.environment_id', true), '')::bigint);--> statement-breakpoint
CREATE POLICY "all_environments" ON "suggested_faces" AS PERMISSIVE FOR ALL TO "sightline_platform" USING (true) WITH CHECK (true);
--> statement-breakpoint
GRANT SELECT ON suggested_faces TO sightline_app;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON suggested_faces TO sightline_platform;
--> statement-breakpoint
-- The functions belong to sightline_platform: the scoped role cannot write the table.
GRANT CREATE ON SCHEMA public TO sightline_platform;
--> statement-breakpoint
CREATE FUNCTION awaits_review(type text, review_status text, dismissed_at timestamptz)
RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT type = 'face' AND review_status = 'pending' AND dismissed_at IS NULL
$$;
--> statement-breakpoint
-- Writes the rows of these faces anew. Of two transactions that change one face, as a review and the
-- deletion of an identity that is suggested for it, the second waits for the first and then reads what
-- both have written. Every statement of a volatile function sees what was committed until it began.
CREATE FUNCTION refresh_suggested_faces(environments bigint[], faces bigint[]) RETURNS void
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM FROM unnest(environments, faces) AS face (environment_id, id)
  JOIN detections d USING (environment_id, id)
  ORDER BY d.environment_id, d.id FOR NO KEY UPDATE OF d;

  WITH suggested AS (
    SELECT d.environment_id, d.id AS detection_id, s.model_id, d.confidence,
           max(s.similarity) AS similarity
    FROM unnest(environments, faces) AS face (environment_id, id)
    JOIN detections d USING (environment_id, id)
    JOIN suggestions s ON s.environment_id = d.environment_id AND s.detection_id = d.id
    WHERE awaits_review(d.type, d.review_status, d.dismissed_at) AND NOT EXISTS (
      SELECT FROM rejected_pairs p
      WHERE p.environment_id = s.environment_id AND p.detection_id = s.detection_id
        AND p.identity_id = s.identity_id)
    GROUP BY d.environment_id, d.id, s.model_id
  ), gone AS (
    DELETE FROM suggested_faces f USING unnest(environments, faces) AS face (environment_id, id)
    WHERE f.environment_id = face.environment_id AND f.detection_id = face.id AND NOT EXISTS (
      SELECT FROM suggested s
      WHERE s.environment_id = f.environment_id AND s.detection_id = f.detection_id
        AND s.model_id = f.model_id)
  )
  INSERT INTO suggested_faces AS f (environment_id, detection_id, model_id, confidence, similarity)
  SELECT environment_id, detection_id, model_id, confidence, similarity FROM suggested
  ON CONFLICT (environment_id, detection_id, model_id)
  DO UPDATE SET similarity = excluded.similarity WHERE f.similarity <> excluded.similarity;
END
$$;
--> statement-breakpoint
ALTER FUNCTION refresh_suggested_faces(bigint[], bigint[]) OWNER TO sightline_platform;
--> statement-breakpoint
REVOKE ALL ON FUNCTION refresh_suggested_faces(bigint[], bigint[]) FROM PUBLIC;
--> statement-breakpoint
-- What a face is suggested as, or was rejected from, has changed. Most statements that delete change
-- nothing here: those of the foreign keys of a detection.
CREATE FUNCTION follow_suggestions() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  environments bigint[];
  faces bigint[];
BEGIN
  IF TG_OP = 'INSERT' THEN
    SELECT array_agg(environment_id), array_agg(detection_id) INTO environments, faces
    FROM (SELECT DISTINCT environment_id, detection_id FROM new_rows) AS changed;
  ELSIF TG_OP = 'DELETE' THEN
    SELECT array_agg(environment_id), array_agg(detection_id) INTO environments, faces
    FROM (SELECT DISTINCT environment_id, detection_id FROM old_rows) AS changed;
  ELSE
    SELECT array_agg(environment_id), array_agg(detection_id) INTO environments, faces
    FROM (
      SELECT environment_id, detection_id FROM new_rows
      UNION SELECT environment_id, detection_id FROM old_rows
    ) AS changed;
  END IF;
  IF faces IS NOT NULL THEN
    PERFORM refresh_suggested_faces(environments, faces);
  END IF;
  RETURN NULL;
END
$$;
--> statement-breakpoint
ALTER FUNCTION follow_suggestions() OWNER TO sightline_platform;
--> statement-breakpoint
DO $migration$
DECLARE
  followed text;
BEGIN
  FOREACH followed IN ARRAY ARRAY['suggestions', 'rejected_pairs'] LOOP
    EXECUTE format($template$
      CREATE TRIGGER followed_in AFTER INSERT ON %1$I
        REFERENCING NEW TABLE AS new_rows
        FOR EACH STATEMENT EXECUTE FUNCTION follow_suggestions();
      CREATE TRIGGER followed_over AFTER UPDATE ON %1$I
        REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
        FOR EACH STATEMENT EXECUTE FUNCTION follow_suggestions();
      CREATE TRIGGER followed_out AFTER DELETE ON %1$I
        REFERENCING OLD TABLE AS old_rows
        FOR EACH STATEMENT EXECUTE FUNCTION follow_suggestions();
    $template$, followed);
  END LOOP;
END
$migration$;
--> statement-breakpoint
-- Faces that come into the queue, or leave it. New ones have no suggestions yet.
CREATE FUNCTION follow_review_queue() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  environments bigint[];
  faces bigint[];
BEGIN
  SELECT array_agg(environment_id), array_agg(id) INTO environments, faces
  FROM new_rows n JOIN old_rows o USING (environment_id, id)
  WHERE awaits_review(n.type, n.review_status, n.dismissed_at)
    <> awaits_review(o.type, o.review_status, o.dismissed_at);
  IF faces IS NOT NULL THEN
    PERFORM refresh_suggested_faces(environments, faces);
  END IF;
  RETURN NULL;
END
$$;
--> statement-breakpoint
ALTER FUNCTION follow_review_queue() OWNER TO sightline_platform;
--> statement-breakpoint
CREATE TRIGGER followed_over AFTER UPDATE ON detections
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION follow_review_queue();
--> statement-breakpoint
-- A queue that works like one: rows come and go, and readers begin where dead ones lie.
ALTER TABLE suggested_faces SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
--> statement-breakpoint
INSERT INTO suggested_faces (environment_id, detection_id, model_id, confidence, similarity)
SELECT d.environment_id, d.id, s.model_id, d.confidence, max(s.similarity)
FROM detections d
JOIN suggestions s ON s.environment_id = d.environment_id AND s.detection_id = d.id
WHERE awaits_review(d.type, d.review_status, d.dismissed_at) AND NOT EXISTS (
  SELECT FROM rejected_pairs p
  WHERE p.environment_id = s.environment_id AND p.detection_id = s.detection_id
    AND p.identity_id = s.identity_id)
GROUP BY d.environment_id, d.id, s.model_id;
--> statement-breakpoint
REVOKE CREATE ON SCHEMA public FROM sightline_platform;
