import type { OperationPruner } from '@sightline/core/operations/operation-store';
import type { Doors } from '../../doors/doors.ts';

/** The maximum number of operations that one statement concerns. */
const OPERATIONS = 20;
/** The maximum number of items, and of files, that one statement changes, because an operation may have a million. */
const ROWS = 5_000;

/** The columns by which the items of an operation are ordered. */
const PLACE = 'subject, subject_id, part, part_id';

/**
 * Clears items before files, so that no item has values whose files are deleted. Later statements go on with the rest. The
 * operations count as cleared when nothing is left.
 */
const CLEAR = `
  WITH expired AS MATERIALIZED (
    SELECT environment_id, id FROM operations WHERE cleared_at IS NULL AND expires_at <= now()
    ORDER BY expires_at LIMIT ${OPERATIONS} FOR UPDATE SKIP LOCKED
  ), kept AS MATERIALIZED (
    SELECT i.* FROM expired e CROSS JOIN LATERAL (
      SELECT environment_id, operation_id, ${PLACE} FROM operation_items
      WHERE environment_id = e.environment_id AND operation_id = e.id
        AND (before IS NOT NULL OR after IS NOT NULL)
      ORDER BY ${PLACE} LIMIT $1) AS i
    LIMIT $1
  ), items AS (
    UPDATE operation_items i SET before = NULL, after = NULL FROM kept k
    WHERE (i.environment_id, i.operation_id, i.subject, i.subject_id, i.part, i.part_id)
      = (k.environment_id, k.operation_id, k.subject, k.subject_id, k.part, k.part_id)
  ), aside AS MATERIALIZED (
    SELECT f.media_key FROM expired e CROSS JOIN LATERAL (
      SELECT media_key FROM set_aside_files
      WHERE environment_id = e.environment_id AND operation_id = e.id LIMIT $1) AS f
    WHERE (SELECT count(*) FROM kept) < $1
    LIMIT $1
  ), files AS (
    DELETE FROM set_aside_files f USING aside a WHERE f.media_key = a.media_key
    RETURNING f.media_key AS key
  ), cleared AS (
    UPDATE operations o SET cleared_at = now() FROM expired e
    WHERE o.environment_id = e.environment_id AND o.id = e.id
      AND (SELECT count(*) FROM kept) < $1 AND (SELECT count(*) FROM aside) < $1
  )
  SELECT (SELECT count(*) FROM expired) AS expired, coalesce(array_agg(key), '{}') AS keys FROM files`;

const OLD = `
  old AS MATERIALIZED (
    SELECT environment_id, id FROM operations
    WHERE cleared_at IS NOT NULL AND created_at < now() - make_interval(days => $2)
    ORDER BY created_at LIMIT ${OPERATIONS})`;

/** The deletion of an operation deletes the few identities that it concerned, and by then no items. */
const PRUNE = `
  WITH ${OLD}, listed AS MATERIALIZED (
    SELECT i.* FROM old o CROSS JOIN LATERAL (
      SELECT environment_id, operation_id, ${PLACE} FROM operation_items
      WHERE environment_id = o.environment_id AND operation_id = o.id
      ORDER BY ${PLACE} LIMIT $1) AS i
    LIMIT $1
  ), items AS (
    DELETE FROM operation_items i USING listed l
    WHERE (i.environment_id, i.operation_id, i.subject, i.subject_id, i.part, i.part_id)
      = (l.environment_id, l.operation_id, l.subject, l.subject_id, l.part, l.part_id)
  ), removed AS (
    DELETE FROM operations o USING old
    WHERE o.environment_id = old.environment_id AND o.id = old.id
      AND (SELECT count(*) FROM listed) < $1
  )
  SELECT count(*) AS old FROM old`;

export class PostgresOperationPruner implements OperationPruner {
  readonly #doors: Doors;
  readonly #rows: number;

  constructor(doors: Doors, rows = ROWS) {
    this.#doors = doors;
    this.#rows = rows;
  }

  async clear(signal?: AbortSignal): Promise<readonly string[] | null> {
    const [row] = await this.#doors.onPlatform(
      'maintenance',
      (session) => session.query<{ expired: number; keys: readonly string[] }>(CLEAR, [this.#rows]),
      signal,
    );
    return row!.expired === 0 ? null : row!.keys;
  }

  async prune(days: number, signal?: AbortSignal): Promise<void> {
    for (let isLast = false; !isLast;) {
      const [row] = await this.#doors.onPlatform(
        'maintenance',
        (session) => session.query<{ old: number }>(PRUNE, [this.#rows, days]),
        signal,
      );
      isLast = row!.old === 0;
    }
  }
}
