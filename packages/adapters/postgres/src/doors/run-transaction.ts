import type pg from 'pg';
import { LentClient } from './lent-client.ts';
import { TransactionSession } from './transaction-session.ts';

export interface TransactionOptions {
  /** The first statements, `BEGIN` among them, in one text for one round trip. */
  readonly begin: string;
  readonly signal: AbortSignal | undefined;
}

/**
 * Runs a transaction on a connection of the pool and commits it; an error or an abort leaves
 * nothing of it. An abort gives up at once, whatever the server waits for, until the commit is on
 * its way.
 *
 * @throws what the work throws; the driver's errors; the signal's reason
 */
export async function runTransaction<T>(
  pool: pg.Pool,
  { begin, signal }: TransactionOptions,
  work: (session: TransactionSession) => Promise<T>,
): Promise<T> {
  const lent = await LentClient.borrow(pool, signal);
  try {
    await lent.client.query(begin);
    const result = await inSession(lent.client, work);
    signal?.throwIfAborted();
    lent.ignoreAbort();
    await commit(lent.client);
    lent.giveBack();
    return result;
  } catch (error) {
    // Asked before the rollback, during which a late abort may come.
    const isAborted = signal?.aborted === true;
    await lent.rollBack();
    throw isAborted ? signal.reason : error;
  }
}

async function inSession<T>(
  client: pg.PoolClient,
  work: (session: TransactionSession) => Promise<T>,
): Promise<T> {
  const session = new TransactionSession(client);
  try {
    return await work(session);
  } finally {
    session.close();
  }
}

/** A transaction in which a statement has failed is rolled back by its commit, without an error. */
async function commit(client: pg.PoolClient): Promise<void> {
  const { command } = await client.query('COMMIT');
  if (command !== 'COMMIT') throw new Error('A statement of the transaction had failed before.');
}
