-- An event of the environment of the transaction, by its position. Scoped transactions may not read the outbox otherwise.
GRANT CREATE ON SCHEMA public TO sightline_platform;
CREATE FUNCTION event_at(position_xid xid8, position_id bigint)
RETURNS TABLE (event_id uuid, event text, data text, created_at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT o.event_id, o.event, o.data::text, o.created_at FROM outbox o
  WHERE o.xid = position_xid AND o.id = position_id
    AND o.environment_id = nullif(current_setting('sightline.environment_id', true), '')::bigint
$$;
ALTER FUNCTION event_at(xid8, bigint) OWNER TO sightline_platform;
REVOKE ALL ON FUNCTION event_at(xid8, bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION event_at(xid8, bigint) TO sightline_app;
REVOKE CREATE ON SCHEMA public FROM sightline_platform;
