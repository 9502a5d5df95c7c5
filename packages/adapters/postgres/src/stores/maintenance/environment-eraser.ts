import type {
  EnvironmentEraser,
  EraserProgress,
} from '@sightline/core/maintenance/environment-eraser';
import { SIMILARITY_READER } from '@sightline/core/similarity/similarity-queue';
import type { Doors } from '../../doors/doors.ts';
import { environmentLockKey } from '../../doors/lock-plan.ts';
import { violatesReference } from '../../doors/store-failure.ts';
import type { TransactionSession } from '../../doors/transaction-session.ts';
import { type EnvironmentTable, environmentTables } from './environment-tables.ts';

/** The number of rows that one transaction deletes. Readers of the outbox wait for one such transaction. */
const CHUNK = 1_000;
/** The tables whose rows count as progress. */
const COUNTED: readonly string[] = ['detections', 'source_images'];

/** The number of changes of vectors that one transaction deletes. Triggers record at most a few for each deleted row. */
const CHANGES = 4_000;
const CHANGES_TABLE = 'vector_changes';

/** Deletes changes, except those for an index, which stay until the index has removed their points. */
const FORGET_CHANGES = `
  DELETE FROM vector_changes WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM vector_changes
    WHERE environment_id = $1 AND reader_id NOT IN (
      SELECT id FROM index_readers WHERE name <> '${SIMILARITY_READER}')
    LIMIT ${CHANGES})) RETURNING 1`;

export class PostgresEnvironmentEraser implements EnvironmentEraser {
  readonly #doors: Doors;
  readonly #chunk: number;

  /** @param chunk the number of rows that one transaction deletes */
  constructor(doors: Doors, chunk = CHUNK) {
    this.#doors = doors;
    this.#chunk = chunk;
  }

  async pending(signal?: AbortSignal): Promise<readonly number[]> {
    const rows = await this.#doors.onPlatform(
      'maintenance',
      (session) =>
        session.query<{ id: number }>(
          `SELECT environment_id AS id FROM environment_deletions
           ORDER BY last_step_at NULLS FIRST, environment_id`,
        ),
      signal,
    );
    return rows.map(({ id }) => id);
  }

  deleteRows(
    environmentId: number,
    cleared: number,
    signal?: AbortSignal,
  ): Promise<EraserProgress | null> {
    return this.#doors.withPlatform(
      'maintenance',
      async (session) => {
        if (!(await takeEnvironment(session, environmentId))) return null;
        const chunk = { environmentId, limit: this.#chunk };
        const progress = await deleteChunk(session, chunk, cleared);
        await session.query(
          `UPDATE environment_deletions SET done = done + $2, last_step_at = clock_timestamp()
           WHERE environment_id = $1`,
          [environmentId, progress.done],
        );
        return progress;
      },
      signal,
    );
  }

  async isIndexed(environmentId: number, signal?: AbortSignal): Promise<boolean> {
    const [row] = await this.#doors.onPlatform(
      'maintenance',
      (session) =>
        session.query<{ isIndexed: boolean }>(
          `SELECT EXISTS (SELECT FROM vector_changes WHERE environment_id = $1) AS "isIndexed"`,
          [environmentId],
        ),
      signal,
    );
    return row!.isIndexed;
  }

  async end(environmentId: number, signal?: AbortSignal): Promise<boolean> {
    try {
      return await this.#doors.withPlatform(
        'maintenance',
        (session) => endDeletion(session, environmentId),
        signal,
      );
    } catch (error) {
      // Another transaction has inserted a row since the check, for example a consumer of events its position.
      if (violatesReference(error)) return false;
      throw error;
    }
  }
}

/**
 * Locks the environment until the end of the transaction, unless another transaction writes in it. Transactions that begin
 * later find that it is being deleted, so no more rows come from them.
 */
async function takeEnvironment(
  session: TransactionSession,
  environmentId: number,
): Promise<boolean> {
  const [row] = await session.query<{ isTaken: boolean }>(
    `SELECT pg_try_advisory_xact_lock(${environmentLockKey(environmentId)}) AS "isTaken"`,
  );
  return row!.isTaken;
}

interface Portion {
  readonly environmentId: number;
  /** The most rows. */
  readonly limit: number;
}

async function deleteChunk(
  session: TransactionSession,
  { environmentId, limit }: Portion,
  cleared: number,
): Promise<EraserProgress> {
  const all = await environmentTables(session);
  const tables = all.filter(({ name }) => name !== CHANGES_TABLE);
  let [at, room, done] = [cleared, limit, 0];
  for (; at < tables.length && room > 0; at++) {
    const deleted = await deleteFrom(session, tables[at]!, { environmentId, limit: room });
    if (COUNTED.includes(tables[at]!.name)) done += deleted;
    room -= deleted;
  }
  // The process that follows similarity does not see the changes that the triggers have recorded for it.
  const forgotten = await session.query(FORGET_CHANGES, [environmentId]);
  // The last table may have more rows. Triggers may have written rows to tables that had none.
  if (room <= 0) return { done, cleared: at - 1 };
  const isEmpty = cleared === 0 && room === limit && forgotten.length === 0;
  return { done, cleared: isEmpty ? null : 0 };
}

/** Deletes rows of a table. The order makes the planner read them from an index instead of scanning the table. */
async function deleteFrom(
  session: TransactionSession,
  { name, references, order }: EnvironmentTable,
  { environmentId, limit }: Portion,
): Promise<number> {
  const inOrder = order === null ? '' : `ORDER BY ${order}`;
  for (const column of references) {
    const freed = await session.query(
      `UPDATE ${name} SET ${column} = NULL WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM ${name} WHERE environment_id = $1 AND ${column} IS NOT NULL LIMIT $2))
       RETURNING 1`,
      [environmentId, limit],
    );
    if (freed.length === limit) return limit;
  }
  const deleted = await session.query(
    `DELETE FROM ${name} WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM ${name} WHERE environment_id = $1 ${inOrder} LIMIT $2)) RETURNING 1`,
    [environmentId, limit],
  );
  return deleted.length;
}

/** Deletes the last rows of an environment, if there are no others. */
async function endDeletion(session: TransactionSession, environmentId: number): Promise<boolean> {
  if (!(await takeEnvironment(session, environmentId))) return false;
  const tables = await environmentTables(session);
  const exists = tables.map(({ name }) => `EXISTS (SELECT FROM ${name} WHERE environment_id = $1)`);
  const [left] = await session.query<{ hasRows: boolean }>(
    `SELECT ${exists.join(' OR ')} AS "hasRows"`,
    [environmentId],
  );
  if (left!.hasRows) return false;
  await session.query('DELETE FROM members WHERE environment_id = $1', [environmentId]);
  await session.query('DELETE FROM environment_deletions WHERE environment_id = $1', [
    environmentId,
  ]);
  await session.query('DELETE FROM environments WHERE id = $1', [environmentId]);
  return true;
}
