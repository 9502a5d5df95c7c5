import { SIMILARITY_READER } from '@sightline/core/similarity/similarity-queue';
import { SHARED_READER } from '@sightline/core/vectors/change-log';
import type { IndexReader, IndexStatusStore } from '@sightline/core/vectors/index-status';
import type { Doors } from '../../doors/doors.ts';
import { READER_STATE } from './change-log.ts';

/** The maximum number of changes that one transaction deletes. */
const BATCH = 10_000;

/**
 * Selects a batch of changes whose registration has ended. The recursion finds the readers with pending changes by one
 * index lookup each. A registration that has not ended is visible to every transaction that sees its changes.
 */
const ORPHANED_CHANGES = `
  WITH RECURSIVE pending (id) AS (
    (SELECT reader_id FROM vector_changes ORDER BY reader_id LIMIT 1)
    UNION ALL
    SELECT (SELECT c.reader_id FROM vector_changes c
            WHERE c.reader_id > n.id ORDER BY c.reader_id LIMIT 1)
    FROM pending n WHERE n.id IS NOT NULL
  )
  SELECT c.environment_id, c.id
  FROM pending n JOIN vector_changes c ON c.reader_id = n.id
  WHERE NOT EXISTS (SELECT FROM index_readers r WHERE r.id = n.id)
  LIMIT ${BATCH}`;

/** Selects the readers whose name equals the parameter, or differs from it. */
const readersWhere = (operator: '=' | '<>'): string => `
  SELECT r.name, ${READER_STATE} AS state, r.filling, r.filled_at AS "filledAt",
         r.last_seen_at AS "lastSeenAt",
         extract(epoch FROM now() - r.last_seen_at)::float8 AS "unseenSeconds",
         r.compared_at AS "comparedAt", r.drift, pending.backlog, pending."oldestSeconds"
  FROM index_readers r CROSS JOIN LATERAL (
    SELECT count(*) AS backlog,
           coalesce(extract(epoch FROM now() - min(noted_at)), 0)::float8 AS "oldestSeconds"
    FROM vector_changes c WHERE c.reader_id = r.id) AS pending
  WHERE r.name ${operator} $1
  ORDER BY r.name COLLATE "C"`;

export function indexStatusStore(doors: Doors): IndexStatusStore {
  return {
    readers: (signal) => query<IndexReader>(readersWhere('<>'), [SIMILARITY_READER], signal),

    async similarity(signal) {
      const [reader] = await query<IndexReader>(readersWhere('='), [SIMILARITY_READER], signal);
      return reader ?? null;
    },

    async requestRebuild(reader) {
      const requested = await query(
        `UPDATE index_readers SET rebuild_requested_at = coalesce(rebuild_requested_at, now())
         WHERE name = coalesce($1, name) AND ($1 IS NOT NULL OR name <> '${SIMILARITY_READER}')
         RETURNING id`,
        [reader ?? null],
      );
      return requested.length;
    },

    async forgetReaders({ own, shared }, signal) {
      const forgotten = await query(
        `DELETE FROM index_readers
         WHERE last_seen_at < now() - make_interval(
           secs => CASE WHEN name IN ('${SHARED_READER}', '${SIMILARITY_READER}') THEN $1::float8 ELSE $2::float8 END)
         RETURNING id`,
        [shared, own],
        signal,
      );
      let removed: number;
      do removed = await removeOrphanedChanges(signal);
      while (removed === BATCH);
      return forgotten.length;
    },
  };

  /**
   * Deletes the changes of registrations that have ended. Transactions that were open at that time may have added
   * changes since.
   */
  async function removeOrphanedChanges(signal: AbortSignal | undefined): Promise<number> {
    const deleted = await query(
      `DELETE FROM vector_changes WHERE (environment_id, id) IN (${ORPHANED_CHANGES}) RETURNING id`,
      [],
      signal,
    );
    return deleted.length;
  }

  async function query<Row>(
    text: string,
    values: readonly unknown[],
    signal?: AbortSignal,
  ): Promise<readonly Row[]> {
    return doors.onPlatform('index', (session) => session.query<Row>(text, values), signal);
  }
}
