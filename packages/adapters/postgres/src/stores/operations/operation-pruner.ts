import type { OperationPruner } from '@sightline/core/operations/operation-store';
import type { Doors } from '../../doors/doors.ts';

/** The maximum number of operations whose values one statement deletes. An operation may have thousands of items. */
const CLEARED = 20;
/** The maximum number of operations that one statement deletes. */
const PRUNED = 1000;

const CLEAR = `
  WITH expired AS (
    SELECT environment_id, id FROM operations WHERE cleared_at IS NULL AND expires_at <= now()
    ORDER BY expires_at LIMIT ${CLEARED} FOR UPDATE SKIP LOCKED
  ), items AS (
    UPDATE operation_items i SET before = NULL, after = NULL FROM expired e
    WHERE i.environment_id = e.environment_id AND i.operation_id = e.id
  ), files AS (
    DELETE FROM set_aside_files f USING expired e
    WHERE f.environment_id = e.environment_id AND f.operation_id = e.id
    RETURNING f.media_key AS key
  ), cleared AS (
    UPDATE operations o SET cleared_at = now() FROM expired e
    WHERE o.environment_id = e.environment_id AND o.id = e.id
  )
  SELECT (SELECT count(*) FROM expired) AS expired, coalesce(array_agg(key), '{}') AS keys FROM files`;

const PRUNE = `
  WITH old AS (
    SELECT environment_id, id FROM operations
    WHERE cleared_at IS NOT NULL AND created_at < now() - make_interval(days => $1)
    ORDER BY created_at LIMIT ${PRUNED})
  DELETE FROM operations o USING old WHERE o.environment_id = old.environment_id AND o.id = old.id
  RETURNING o.id`;

export class PostgresOperationPruner implements OperationPruner {
  readonly #doors: Doors;

  constructor(doors: Doors) {
    this.#doors = doors;
  }

  async clear(signal?: AbortSignal): Promise<readonly string[] | null> {
    const [row] = await this.#doors.onPlatform(
      'maintenance',
      (session) => session.query<{ expired: number; keys: readonly string[] }>(CLEAR),
      signal,
    );
    return row!.expired === 0 ? null : row!.keys;
  }

  async prune(days: number, signal?: AbortSignal): Promise<void> {
    for (let deleted = PRUNED; deleted === PRUNED;) {
      const rows = await this.#doors.onPlatform(
        'maintenance',
        (session) => session.query(PRUNE, [days]),
        signal,
      );
      deleted = rows.length;
    }
  }
}
