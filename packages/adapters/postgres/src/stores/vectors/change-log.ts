import { setTimeout as delay } from 'node:timers/promises';
import { Backoff } from '@sightline/core/backoff';
import { StoreUnavailable } from '@sightline/core/store/store-errors';
import type { ChangeLog, ReaderState, VectorChange } from '@sightline/core/vectors/change-log';
import type { IndexDrift } from '@sightline/core/vectors/index-drift';
import type { VectorSpace } from '@sightline/core/vectors/vector-index';
import type { Doors } from '../../doors/doors.ts';
import { MAY_WRITE_HERE } from '../events/open-transactions.ts';

export const READER_STATE = `
  CASE WHEN r.filled_at IS NULL THEN 'unfilled'
       WHEN r.rebuild_requested_at IS NOT NULL THEN 'rebuild_requested'
       ELSE 'filled' END`;

/**
 * How long to wait for open transactions, in ms. Transactions of Sightline end within a minute, but transactions of
 * other clients may stay open longer.
 */
const OPEN_TRANSACTIONS_MS = 120_000;
const PAUSES = { firstMs: 5, longestMs: 500 };

/** The change log of one reader, for a process that maintains or searches the reader's vector index. */
export class PostgresChangeLog implements ChangeLog {
  readonly reader: string;
  readonly #doors: Doors;
  /** The id of the registration that this object last read; null before the first read. */
  #registration: number | null = null;

  constructor(doors: Doors, reader: string) {
    this.#doors = doors;
    this.reader = reader;
  }

  async follow(signal?: AbortSignal): Promise<void> {
    const [row] = await this.#query<{ id: number }>(
      `INSERT INTO index_readers (name) VALUES ($1)
       ON CONFLICT (name) DO UPDATE SET id = DEFAULT, filling = NULL, filled_at = NULL,
         rebuild_requested_at = NULL, last_seen_at = now(), compared_at = NULL, drift = NULL
       RETURNING id`,
      [this.reader],
      signal,
    );
    this.#registration = row!.id;
    await this.#untilOthersEnded(signal);
  }

  async filled(signal?: AbortSignal): Promise<boolean> {
    const rows = await this.#query(
      `UPDATE index_readers
       SET filled_at = now(), rebuild_requested_at = NULL, filling = NULL, last_seen_at = now()
       WHERE name = $1 AND id = $2 RETURNING id`,
      [this.reader, this.#registration],
      signal,
    );
    return rows.length > 0;
  }

  async state(signal?: AbortSignal): Promise<ReaderState> {
    const [row] = await this.#query<{ id: number; state: ReaderState }>(
      `SELECT r.id, ${READER_STATE} AS state FROM index_readers r WHERE r.name = $1`,
      [this.reader],
      signal,
    );
    this.#registration = row?.id ?? null;
    return row?.state ?? 'missing';
  }

  async keepAlive(filling: number | null, signal?: AbortSignal): Promise<ReaderState> {
    const rows = await this.#query<{ state: ReaderState }>(
      `UPDATE index_readers r SET last_seen_at = now(), filling = $2
       WHERE r.name = $1 RETURNING ${READER_STATE} AS state`,
      [this.reader, filling],
      signal,
    );
    return rows[0]?.state ?? 'missing';
  }

  async changes(limit: number, signal?: AbortSignal): Promise<readonly VectorChange[]> {
    const rows = await this.#query<Omit<VectorChange, 'space'> & VectorSpace>(
      `SELECT c.id, c.entity_id AS "entityId", c.environment_id AS "environmentId",
              c.model_id AS "modelId", c.kind, m.embedding_dim AS dimension
       FROM (SELECT * FROM vector_changes
             WHERE reader_id = (SELECT id FROM index_readers WHERE name = $1)
             ORDER BY id LIMIT $2) AS c
       JOIN models m ON m.id = c.model_id
       ORDER BY c.id`,
      [this.reader, limit],
      signal,
    );
    return rows.map(({ id, entityId, ...space }) => ({ id, entityId, space }));
  }

  async acknowledge(changes: readonly VectorChange[]): Promise<number> {
    if (changes.length === 0) return 0;
    const deleted = await this.#query(
      `DELETE FROM vector_changes
       WHERE reader_id = (SELECT id FROM index_readers WHERE name = $1)
         AND id = any($2::bigint[]) RETURNING id`,
      [this.reader, changes.map(({ id }) => id)],
    );
    return deleted.length;
  }

  async note(
    { environmentId, modelId, kind }: VectorSpace,
    entityIds: readonly number[],
  ): Promise<void> {
    if (entityIds.length === 0) return;
    await this.#query(
      `INSERT INTO vector_changes (environment_id, reader_id, model_id, kind, entity_id)
       SELECT $2, r.id, $3, $4, e.id FROM index_readers r, unnest($5::bigint[]) AS e (id)
       WHERE r.name = $1`,
      [this.reader, environmentId, modelId, kind, entityIds],
    );
  }

  async backlog(signal?: AbortSignal): Promise<number> {
    const [row] = await this.#query<{ changes: number }>(
      `SELECT count(*) AS changes FROM vector_changes
       WHERE reader_id = (SELECT id FROM index_readers WHERE name = $1)`,
      [this.reader],
      signal,
    );
    return row!.changes;
  }

  async compared(drift: IndexDrift): Promise<void> {
    await this.#query('UPDATE index_readers SET compared_at = now(), drift = $2 WHERE name = $1', [
      this.reader,
      JSON.stringify(drift),
    ]);
  }

  async leave(): Promise<void> {
    await this.#query(
      `WITH ended AS (DELETE FROM index_readers WHERE name = $1 RETURNING id)
       DELETE FROM vector_changes WHERE reader_id IN (SELECT id FROM ended)`,
      [this.reader],
    );
  }

  /**
   * Waits for all transactions that may have written before they could see the registration, because triggers
   * recorded no changes for this reader then. Transactions that get their id later see the registration, because
   * triggers read it after the id is assigned.
   */
  async #untilOthersEnded(signal: AbortSignal | undefined): Promise<void> {
    let open = await this.#query<{ xid: string }>(
      'SELECT xid::text FROM pg_snapshot_xip(pg_current_snapshot()) AS xid',
      [],
      signal,
    );
    const giveUpAt = performance.now() + OPEN_TRANSACTIONS_MS;
    const pauses = new Backoff(PAUSES);
    while (open.length > 0) {
      open = await this.#query<{ xid: string }>(STILL_OPEN, [open.map(({ xid }) => xid)], signal);
      if (open.length === 0) return;
      if (performance.now() > giveUpAt) {
        throw new StoreUnavailable(
          'The vector index cannot be filled: a transaction in the database has been open for too long.',
        );
      }
      await this.keepAlive(null, signal);
      await delay(pauses.next(), undefined, { signal });
    }
  }

  async #query<Row>(
    text: string,
    values: readonly unknown[],
    signal?: AbortSignal,
  ): Promise<readonly Row[]> {
    return this.#doors.onPlatform('index', (session) => session.query<Row>(text, values), signal);
  }
}

const STILL_OPEN = `
  SELECT xid::text FROM pg_snapshot_xip(pg_current_snapshot()) AS xid
  WHERE xid = any($1::xid8[]) AND ${MAY_WRITE_HERE}`;
