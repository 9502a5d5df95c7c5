/**
 * A condition on `xid`, the id of an open transaction. False if the transaction belongs to another database of the
 * cluster. Such a transaction writes nothing to this database and may stay open indefinitely.
 */
export const MAY_WRITE_HERE = `
  NOT EXISTS (
    SELECT FROM pg_locks l JOIN pg_stat_activity a USING (pid)
    WHERE l.locktype = 'transactionid' AND l.granted AND l.mode = 'ExclusiveLock'
      AND l.transactionid = xid::xid
      AND a.datid <> (SELECT oid FROM pg_database WHERE datname = current_database()))
  AND NOT EXISTS (
    SELECT FROM pg_prepared_xacts p
    WHERE p.transaction = xid::xid AND p.database <> current_database())`;
