import type pg from 'pg';
import { LentClient, type TransactionSignals } from './lent-client.ts';
import { hungServer } from './store-failure.ts';
import { TransactionSession } from './transaction-session.ts';

export interface TransactionOptions extends TransactionSignals {
  /** The first statements, `BEGIN` among them, in one text for one round trip. */
  readonly begin: string;
}

/**
 * Runs a transaction on a connection of the pool and commits it; an error or an abort leaves
 * nothing of it. An abort gives up at once, whatever the server waits for, until the commit is on
 * its way; a server that is found to hang is let go of at any time, and then nobody knows whether a
 * commit on its way has arrived.
 *
 * @throws what the work throws; the driver's errors; the caller's reason; StoreUnavailable if the
 *   server hangs
 */
export async function runTransaction<T>(
  pool: pg.Pool,
  { begin, signal, caller }: TransactionOptions,
  work: (session: TransactionSession) => Promise<T>,
): Promise<T> {
  const lent = await borrow(pool, { signal, caller });
  try {
    await lent.client.query(begin);
    const result = await inSession(lent.client, work);
    signal?.throwIfAborted();
    lent.ignoreCaller();
    await commit(lent.client);
    lent.giveBack();
    return result;
  } catch (error) {
    // Asked before the rollback, during which a late abort may come.
    const failure = failureOf(error, { signal, caller });
    await lent.rollBack(error);
    throw failure;
  }
}

async function borrow(pool: pg.Pool, signals: TransactionSignals): Promise<LentClient> {
  try {
    return await LentClient.borrow(pool, signals);
  } catch (error) {
    throw failureOf(error, signals);
  }
}

/** What is to be seen of an error: after an abort, only that. */
function failureOf(error: unknown, { signal, caller }: TransactionSignals): unknown {
  if (caller?.aborted === true) return caller.reason;
  return signal?.aborted === true ? hungServer(signal.reason) : error;
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
