-- Returns the age, in seconds, of the oldest transaction that may still write to this database; 0 if there is
-- none. The function runs as the owner, because other roles do not see when transactions of another role
-- began. An owner without superuser rights does not see that for every role. In that case, the creation time
-- of the first event after the transaction stands for its start.
CREATE FUNCTION horizon_age() RETURNS double precision
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT coalesce(max(extract(epoch FROM clock_timestamp() - open.since)), 0)::float8
  FROM (
    SELECT coalesce(a.xact_start, (
      SELECT o.created_at FROM outbox o
      WHERE o.xid > (SELECT xid FROM pg_snapshot_xip(pg_current_snapshot()) AS xid
                     WHERE xid::xid = l.transactionid)
      ORDER BY o.xid, o.id LIMIT 1)) AS since
    FROM pg_locks l JOIN pg_stat_activity a USING (pid)
    WHERE l.locktype = 'transactionid' AND l.granted AND l.mode = 'ExclusiveLock'
      AND a.datid = (SELECT oid FROM pg_database WHERE datname = current_database())
    UNION ALL
    SELECT prepared FROM pg_prepared_xacts WHERE database = current_database()
  ) AS open
$$;

REVOKE ALL ON FUNCTION horizon_age() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION horizon_age() TO sightline_platform;
