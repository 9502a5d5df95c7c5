-- Triggers record each change of a vector, once for every registered reader. A reader is a vector index.
--
-- A trigger function runs after its transaction has got an id, and sees readers that were registered before
-- that. A change can miss only a reader that registered while the change's transaction was already open.
-- Therefore a new reader waits until those transactions have ended, and only then reads the rows.
GRANT CREATE ON SCHEMA public TO sightline_platform;

-- Records vectors that are added, removed or changed, or that now belong to another identity.
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
      CREATE FUNCTION record_%1$s() RETURNS trigger
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
      ALTER FUNCTION record_%1$s() OWNER TO sightline_platform;
      CREATE TRIGGER vector_changes_insert AFTER INSERT ON %1$I
        REFERENCING NEW TABLE AS new_rows
        FOR EACH STATEMENT EXECUTE FUNCTION record_%1$s();
      CREATE TRIGGER vector_changes_update AFTER UPDATE ON %1$I
        REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
        FOR EACH STATEMENT EXECUTE FUNCTION record_%1$s();
      CREATE TRIGGER vector_changes_delete AFTER DELETE ON %1$I
        REFERENCING OLD TABLE AS old_rows
        FOR EACH STATEMENT EXECUTE FUNCTION record_%1$s();
    $template$, indexed.column1, indexed.column2, indexed.column3, indexed.column4);
  END LOOP;
END
$migration$;

-- Records faces whose identity changes. Their vectors stay the same, but belong to another identity.
CREATE FUNCTION record_detections() RETURNS trigger
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
ALTER FUNCTION record_detections() OWNER TO sightline_platform;
CREATE TRIGGER vector_changes_update AFTER UPDATE ON detections
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION record_detections();

REVOKE CREATE ON SCHEMA public FROM sightline_platform;
