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

export interface Statement {
  readonly text: string;
  readonly values?: readonly unknown[];
}

/**
 * Runs one statement as a transaction of its own, in one round trip. Aborts are as those of
 * {@link runTransaction}, but nobody knows then whether the statement was carried out.
 *
 * @throws as {@link runTransaction}
 */
export async function runStatement<Row>(
  pool: pg.Pool,
  { text, values = [] }: Statement,
  signals: TransactionSignals,
): Promise<readonly Row[]> {
  const lent = await borrow(pool, signals);
  try {
    const { rows } = await lent.client.query(text, [...values]);
    lent.giveBack();
    return rows as Row[];
  } catch (error) {
    const failure = failureOf(error, signals);
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
