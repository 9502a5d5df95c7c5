-- The orders and filters of images.
ALTER TABLE source_images
  ADD COLUMN taken_at timestamptz(3) DEFAULT '-infinity' NOT NULL,
  ADD COLUMN has_repeats boolean DEFAULT false NOT NULL;

UPDATE source_images s SET has_repeats = true
FROM (
  SELECT DISTINCT environment_id, source_image_id FROM (
    SELECT environment_id, source_image_id FROM detections WHERE identity_id IS NOT NULL
    GROUP BY environment_id, source_image_id, identity_id HAVING count(*) > 1
  ) AS repeated
) AS image
WHERE s.environment_id = image.environment_id AND s.id = image.source_image_id;

DROP INDEX source_images_uploaded, source_images_counted;
CREATE INDEX source_images_uploaded
  ON source_images (environment_id, traits, uploaded_at, id, detection_count, taken_at);
CREATE INDEX source_images_counted
  ON source_images (environment_id, traits, detection_count, id, uploaded_at, taken_at);
CREATE INDEX source_images_taken
  ON source_images (environment_id, traits, taken_at, id, uploaded_at, detection_count);
CREATE INDEX source_images_repeats_uploaded ON source_images (environment_id, uploaded_at, id) WHERE has_repeats;
CREATE INDEX source_images_repeats_counted ON source_images (environment_id, detection_count, id) WHERE has_repeats;
CREATE INDEX source_images_repeats_taken ON source_images (environment_id, taken_at, id) WHERE has_repeats;
CREATE INDEX detections_of_class ON detections (environment_id, class_name, source_image_id)
  WHERE class_name IS NOT NULL;
CREATE INDEX detections_of_status ON detections (environment_id, review_status, source_image_id);

GRANT CREATE ON SCHEMA public TO sightline_platform;

-- Recomputes whether an identity has several detections in these images. The rows of the images are locked first, in
-- the order of their ids. Of two transactions that give the same identity to two faces of an image, the later one then
-- reads what the earlier one wrote, because each statement of a volatile function sees everything that was committed
-- before the statement.
CREATE FUNCTION refresh_repeats(environments bigint[], images bigint[]) RETURNS void
LANGUAGE plpgsql
SET search_path = public, pg_temp
SET plan_cache_mode = force_generic_plan
AS $$
BEGIN
  PERFORM FROM unnest(environments, images) AS image (environment_id, id)
  JOIN source_images s USING (environment_id, id)
  ORDER BY s.environment_id, s.id FOR NO KEY UPDATE OF s;

  UPDATE source_images s SET has_repeats = NOT s.has_repeats
  FROM (SELECT DISTINCT * FROM unnest(environments, images) AS image (environment_id, id)) AS image
  WHERE s.environment_id = image.environment_id AND s.id = image.id
    AND s.has_repeats <> coalesce((
      SELECT true FROM detections d
      WHERE d.environment_id = image.environment_id AND d.source_image_id = image.id
        AND d.identity_id IS NOT NULL
      GROUP BY d.identity_id HAVING count(*) > 1 LIMIT 1), false);
END
$$;
ALTER FUNCTION refresh_repeats(bigint[], bigint[]) OWNER TO sightline_platform;
REVOKE ALL ON FUNCTION refresh_repeats(bigint[], bigint[]) FROM PUBLIC;

CREATE FUNCTION note_repeats() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  environments bigint[];
  images bigint[];
BEGIN
  IF TG_OP = 'INSERT' THEN
    SELECT array_agg(environment_id), array_agg(source_image_id) INTO environments, images
    FROM new_rows WHERE identity_id IS NOT NULL;
  ELSIF TG_OP = 'DELETE' THEN
    -- An image without repeats cannot gain one.
    SELECT array_agg(o.environment_id), array_agg(o.source_image_id) INTO environments, images
    FROM old_rows o
    JOIN source_images s ON s.environment_id = o.environment_id AND s.id = o.source_image_id
    WHERE o.identity_id IS NOT NULL AND s.has_repeats;
  ELSE
    SELECT array_agg(n.environment_id), array_agg(image.id) INTO environments, images
    FROM new_rows n JOIN old_rows o USING (environment_id, id)
    CROSS JOIN LATERAL (SELECT n.source_image_id UNION SELECT o.source_image_id) AS image (id)
    WHERE n.identity_id IS DISTINCT FROM o.identity_id OR n.source_image_id <> o.source_image_id;
  END IF;
  IF images IS NOT NULL THEN
    PERFORM refresh_repeats(environments, images);
  END IF;
  RETURN NULL;
END
$$;
ALTER FUNCTION note_repeats() OWNER TO sightline_platform;
CREATE TRIGGER repeats_insert AFTER INSERT ON detections
  REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION note_repeats();
CREATE TRIGGER repeats_update AFTER UPDATE ON detections
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION note_repeats();
CREATE TRIGGER repeats_delete AFTER DELETE ON detections
  REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION note_repeats();

REVOKE CREATE ON SCHEMA public FROM sightline_platform;
