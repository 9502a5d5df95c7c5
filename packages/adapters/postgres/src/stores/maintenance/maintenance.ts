import type { DeletingIdentity } from '@sightline/core/identities/deleting-identity';
import type { MaintenanceStore, OutboxState } from '@sightline/core/maintenance/maintenance-store';
import type { Doors } from '../../doors/doors.ts';
import type { TransactionSession } from '../../doors/transaction-session.ts';
import { inconsistentMeans } from './consistency-of-means.ts';
import { inconsistentRows } from './consistency-queries.ts';
import { IS_SUBSCRIBED } from '../webhooks/due-messages.ts';

/** The maximum number of rows that one statement deletes. */
const BATCH = 10_000;
/** The advisory lock under which one process at a time sums up counters. The number is arbitrary. */
const FOLD_LOCK = 7_446_116;

/**
 * Deletes events that the relay and all consumers of the environment have processed. An event stays as long as it has
 * not been sent to every webhook that receives it.
 */
const PRUNE_OUTBOX = `
  DELETE FROM outbox WHERE (xid, id) IN (
    SELECT o.xid, o.id FROM outbox o
    JOIN consumer_positions f ON f.environment_id = o.environment_id AND f.consumer = 'feed'
    JOIN consumer_positions w ON w.environment_id = o.environment_id AND w.consumer = 'webhooks'
    WHERE o.created_at < now() - make_interval(hours => $1)
      AND (o.xid, o.id) <= (f.xid, f.id) AND (o.xid, o.id) <= (w.xid, w.id)
      AND NOT EXISTS (
        SELECT FROM relay_positions r
        WHERE (r.xid, r.id) < (o.xid, o.id) AND r.moved_at > now() - interval '7 days')
      AND NOT EXISTS (
        SELECT FROM webhook_turns t
        JOIN webhooks w ON w.environment_id = t.environment_id AND w.id = t.webhook_id
        WHERE t.environment_id = o.environment_id AND (t.xid, t.id) < (o.xid, o.id)
          AND w.is_active AND ${IS_SUBSCRIBED})
    ORDER BY o.xid, o.id LIMIT ${BATCH})
  RETURNING id`;

const FOLD_COUNTERS = `
  WITH added AS (
    SELECT environment_id, counter, subject_id, model_id FROM counter_deltas
    WHERE NOT is_folded ORDER BY id LIMIT ${BATCH}
  ), replaced AS (
    DELETE FROM counter_deltas d USING (SELECT DISTINCT * FROM added) c
    WHERE d.environment_id = c.environment_id AND d.counter = c.counter
      AND d.subject_id = c.subject_id AND d.model_id = c.model_id
    RETURNING d.*
  ), kept AS (
    INSERT INTO counter_deltas
      (environment_id, counter, subject_id, model_id, delta, is_folded)
    SELECT environment_id, counter, subject_id, model_id, sum(delta), true FROM replaced
    GROUP BY environment_id, counter, subject_id, model_id HAVING sum(delta) <> 0
  )
  SELECT count(*) AS folded FROM added`;

export class PostgresMaintenanceStore implements MaintenanceStore {
  readonly #doors: Doors;

  constructor(doors: Doors) {
    this.#doors = doors;
  }

  async foldCounters(signal?: AbortSignal): Promise<number> {
    let folded: number;
    let all = 0;
    do {
      folded = await this.#foldBatch(signal);
      all += folded;
    } while (folded === BATCH);
    return all;
  }

  async #foldBatch(signal?: AbortSignal): Promise<number> {
    return this.#doors.withPlatform('maintenance', foldBatch, signal);
  }

  async pruneOutbox(hours: number, signal?: AbortSignal): Promise<number> {
    return this.#removeInBatches(PRUNE_OUTBOX, hours, signal);
  }

  async outboxState(signal?: AbortSignal): Promise<OutboxState> {
    const [state] = await this.#query<OutboxState>(
      `SELECT coalesce(nullif(pg_stat_get_live_tuples(oid), 0), greatest(reltuples, 0))::bigint
                AS rows,
              horizon_age() AS "horizonAgeSeconds"
       FROM pg_class WHERE oid = 'outbox'::regclass`,
      [],
      signal,
    );
    return state!;
  }

  async pruneIdempotencyKeys(hours: number, signal?: AbortSignal): Promise<number> {
    return this.#removeInBatches(
      `DELETE FROM idempotency_keys WHERE (environment_id, key) IN (
         SELECT environment_id, key FROM idempotency_keys
         WHERE created_at < now() - make_interval(hours => $1) AND lease_until < now() LIMIT ${BATCH})
       RETURNING key`,
      hours,
      signal,
    );
  }

  async deletingIdentities(
    { limit, idleSeconds }: { readonly limit: number; readonly idleSeconds: number },
    signal?: AbortSignal,
  ): Promise<readonly DeletingIdentity[]> {
    return this.#query<DeletingIdentity>(
      `SELECT environment_id AS "environmentId", id, merged_into AS "mergedInto" FROM identities i
       WHERE deleting_since IS NOT NULL AND EXISTS (
         SELECT FROM environments e WHERE e.id = i.environment_id AND e.deleting_since IS NULL)
         AND coalesce(last_step_at, deleting_since) <= now() - make_interval(secs => $2::float8)
       ORDER BY coalesce(last_step_at, deleting_since), environment_id, id LIMIT $1`,
      [limit, idleSeconds],
      signal,
    );
  }

  async orphans(keys: readonly string[], signal?: AbortSignal): Promise<readonly string[]> {
    const rows = await this.#query<{ key: string }>(
      `SELECT k.key FROM unnest($1::text[]) WITH ORDINALITY AS k (key, place)
       WHERE NOT EXISTS (SELECT FROM source_images s WHERE s.media_key = k.key)
         AND NOT EXISTS (SELECT FROM source_images s WHERE s.original_key = k.key)
         AND NOT EXISTS (SELECT FROM detections d WHERE d.crop_key = k.key)
         AND NOT EXISTS (SELECT FROM set_aside_files f WHERE f.media_key = k.key)
         AND NOT EXISTS (SELECT FROM detection_renditions r WHERE r.media_key = k.key)
         AND NOT EXISTS (SELECT FROM source_renditions r WHERE r.media_key = k.key)
         AND NOT EXISTS (SELECT FROM job_items i WHERE i.upload_key = k.key)
         AND NOT EXISTS (SELECT FROM jobs j WHERE j.results_key = k.key)
       ORDER BY k.place`,
      [keys],
      signal,
    );
    return rows.map(({ key }) => key);
  }

  async mediaKeys(
    { after, limit }: { readonly after: string; readonly limit: number },
    signal?: AbortSignal,
  ): Promise<readonly string[]> {
    const ofColumn = (table: string, column: string): string =>
      `(SELECT ${column} AS key FROM ${table} WHERE ${column} > $1 ORDER BY ${column} LIMIT $2)`;
    const rows = await this.#query<{ key: string }>(
      `${ofColumn('source_images', 'media_key')}
       UNION ALL ${ofColumn('source_images', 'original_key')}
       UNION ALL ${ofColumn('detections', 'crop_key')}
       UNION ALL ${ofColumn('set_aside_files', 'media_key')}
       UNION ALL ${ofColumn('job_items', 'upload_key')}
       UNION ALL ${ofColumn('jobs', 'results_key')}
       ORDER BY key LIMIT $2`,
      [after, limit],
      signal,
    );
    return rows.map(({ key }) => key);
  }

  async contradictions(signal?: AbortSignal): Promise<readonly string[]> {
    return [
      ...(await inconsistentRows(this.#doors, signal)),
      ...(await inconsistentMeans(this.#doors, signal)),
    ];
  }

  async #removeInBatches(text: string, hours: number, signal?: AbortSignal): Promise<number> {
    let removed = 0;
    let batch: number;
    do {
      batch = (await this.#query(text, [hours], signal)).length;
      removed += batch;
    } while (batch === BATCH);
    return removed;
  }

  async #query<Row>(
    text: string,
    values: readonly unknown[],
    signal?: AbortSignal,
  ): Promise<readonly Row[]> {
    return this.#doors.onPlatform(
      'maintenance',
      (session) => session.query<Row>(text, values),
      signal,
    );
  }
}

/**
 * Takes a batch of new rows, and replaces all rows of their counters by a single row per counter with the sum. The lock
 * has a statement of its own, because a statement sees the rows as they were before it took the lock: it would miss the
 * sums of a fold that has just ended, and add a second sum beside that of the fold.
 *
 * @returns the number of new rows; 0 while another process folds
 */
async function foldBatch(session: TransactionSession): Promise<number> {
  const [lock] = await session.query<{ isTaken: boolean }>(
    `SELECT pg_try_advisory_xact_lock(${FOLD_LOCK}) AS "isTaken"`,
  );
  if (!lock!.isTaken) return 0;
  const [row] = await session.query<{ folded: number }>(FOLD_COUNTERS);
  return row!.folded;
}
