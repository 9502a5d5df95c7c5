import type { MaintenanceStore, OutboxState } from '@sightline/core/maintenance/maintenance-store';
import type { Doors } from '../doors/doors.ts';
import { inconsistentMeans } from './consistency-of-means.ts';
import { inconsistentRows } from './consistency-queries.ts';

/** Rows that one statement removes. */
const BATCH = 10_000;
/** An arbitrary number: the lock under which one process at a time folds the counters. */
const FOLD_LOCK = 7_446_116;

export class PostgresMaintenanceStore implements MaintenanceStore {
  readonly #doors: Doors;

  constructor(doors: Doors) {
    this.#doors = doors;
  }

  async foldCounters(signal?: AbortSignal): Promise<number> {
    const [row] = await this.#query<{ removed: number }>(
      `WITH lock AS MATERIALIZED (
         SELECT pg_try_advisory_xact_lock(${FOLD_LOCK}) AS taken
       ), folded AS (
         SELECT environment_id, counter, subject_id, model_id FROM counter_deltas
         WHERE (SELECT taken FROM lock)
         GROUP BY environment_id, counter, subject_id, model_id
         HAVING count(*) > 1 OR sum(delta) = 0
         LIMIT ${BATCH}
       ), gone AS (
         DELETE FROM counter_deltas d USING folded f
         WHERE d.environment_id = f.environment_id AND d.counter = f.counter
           AND d.subject_id = f.subject_id AND d.model_id = f.model_id
         RETURNING d.*
       ), kept AS (
         INSERT INTO counter_deltas (environment_id, counter, subject_id, model_id, delta)
         SELECT environment_id, counter, subject_id, model_id, sum(delta) FROM gone
         GROUP BY environment_id, counter, subject_id, model_id HAVING sum(delta) <> 0
         RETURNING 1
       )
       SELECT (SELECT count(*) FROM gone) - (SELECT count(*) FROM kept) AS removed`,
      [],
      signal,
    );
    return row!.removed;
  }

  async pruneOutbox(hours: number, signal?: AbortSignal): Promise<number> {
    // Oldest first: a batch with a younger row is the last one.
    return this.#removeInBatches(
      `DELETE FROM outbox WHERE (xid, id) IN (
         SELECT xid, id FROM (SELECT * FROM outbox ORDER BY xid, id LIMIT ${BATCH}) AS oldest
         WHERE created_at < now() - make_interval(hours => $1))
       RETURNING id`,
      hours,
      signal,
    );
  }

  async outboxState(signal?: AbortSignal): Promise<OutboxState> {
    const [state] = await this.#query<OutboxState>(
      `SELECT (SELECT count(*) FROM outbox) AS rows,
              coalesce(extract(epoch FROM clock_timestamp() - min(xact_start)), 0)::float8
                AS "horizonAgeSeconds"
       FROM pg_stat_activity WHERE backend_xid IS NOT NULL`,
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

  async orphans(keys: readonly string[], signal?: AbortSignal): Promise<readonly string[]> {
    const rows = await this.#query<{ key: string }>(
      `SELECT k.key FROM unnest($1::text[]) WITH ORDINALITY AS k (key, place)
       WHERE NOT EXISTS (SELECT FROM source_images s WHERE s.media_key = k.key)
         AND NOT EXISTS (SELECT FROM source_images s WHERE s.original_key = k.key)
         AND NOT EXISTS (SELECT FROM detections d WHERE d.crop_key = k.key)
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
