GRANT CREATE ON SCHEMA public TO sightline_platform;

-- Deletes a foreign model with its last vector. The statement that deletes the row sees vectors that other transactions
-- committed before the lock; transactions that store vectors of the model lock its row before they do.
CREATE FUNCTION delete_foreign_models() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  unused bigint[];
BEGIN
  SELECT array_agg(id) INTO unused FROM (
    SELECT m.id FROM models m
    WHERE m.id IN (SELECT model_id FROM old_rows) AND m.environment_id IS NOT NULL
      AND NOT EXISTS (SELECT FROM face_vectors v WHERE v.model_id = m.id)
    ORDER BY m.id FOR UPDATE) AS locked;
  IF unused IS NOT NULL THEN
    DELETE FROM models m WHERE m.id = any(unused)
      AND NOT EXISTS (SELECT FROM face_vectors v WHERE v.model_id = m.id);
  END IF;
  RETURN NULL;
END
$$;
ALTER FUNCTION delete_foreign_models() OWNER TO sightline_platform;
CREATE TRIGGER foreign_models_delete AFTER DELETE ON face_vectors
  REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION delete_foreign_models();

-- Indexes contain only vectors of the installation's models, because no request searches others. Otherwise these
-- functions are those of the baseline.
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
      CREATE OR REPLACE FUNCTION record_%1$s() RETURNS trigger
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $body$
      BEGIN
        IF TG_OP = 'INSERT' THEN
          INSERT INTO vector_changes (environment_id, reader_id, model_id, kind, entity_id)
          SELECT n.environment_id, r.id, n.model_id, %2$L, n.%3$I
          FROM new_rows n JOIN models m ON m.id = n.model_id AND m.environment_id IS NULL
          CROSS JOIN index_readers r;
        ELSIF TG_OP = 'DELETE' THEN
          INSERT INTO vector_changes (environment_id, reader_id, model_id, kind, entity_id)
          SELECT o.environment_id, r.id, o.model_id, %2$L, o.%3$I
          FROM old_rows o JOIN models m ON m.id = o.model_id AND m.environment_id IS NULL
          CROSS JOIN index_readers r;
        ELSE
          INSERT INTO vector_changes (environment_id, reader_id, model_id, kind, entity_id)
          SELECT n.environment_id, r.reader_id, n.model_id, %2$L, n.%3$I
          FROM new_rows n JOIN old_rows o USING (environment_id, model_id, %3$I)
          JOIN models m ON m.id = n.model_id AND m.environment_id IS NULL
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

CREATE OR REPLACE FUNCTION record_detections() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO vector_changes (environment_id, reader_id, model_id, kind, entity_id)
  SELECT n.environment_id, r.reader_id, v.model_id, 'faces', v.detection_id
  FROM new_rows n
  JOIN old_rows o USING (environment_id, id)
  JOIN face_vectors v USING (environment_id)
  JOIN models m ON m.id = v.model_id AND m.environment_id IS NULL
  CROSS JOIN (SELECT id FROM index_readers) AS r (reader_id)
  WHERE v.detection_id = n.id AND n.identity_id IS DISTINCT FROM o.identity_id;
  RETURN NULL;
END
$$;

REVOKE CREATE ON SCHEMA public FROM sightline_platform;
