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
export function runTransaction<T>(
  pool: pg.Pool,
  { begin, ...signals }: TransactionOptions,
  work: (session: TransactionSession) => Promise<T>,
): Promise<T> {
  return onLentClient(pool, signals, async (lent) => {
    await lent.client.query(begin);
    const result = await inSession(lent.client, work);
    signals.signal?.throwIfAborted();
    lent.ignoreCaller();
    await commit(lent.client);
    lent.giveBack();
    return result;
  });
}

/**
 * Runs a transaction that only reads, on a connection that sends statements without waiting for the
 * answers to those before. Nobody waits for its beginning, behind which the first statement is sent,
 * nor for its end, behind which the next transaction will be. Aborts are as those of
 * {@link runTransaction}.
 *
 * @throws as {@link runTransaction}
 */
export function runReading<T>(
  pool: pg.Pool,
  { begin, ...signals }: TransactionOptions,
  work: (session: TransactionSession) => Promise<T>,
): Promise<T> {
  return onLentClient(pool, signals, async (lent) => {
    const begun = lent.client.query(begin);
    const [beginning, reading] = await Promise.allSettled([begun, inSession(lent.client, work)]);
    // Where it has not begun, the work has read nothing, and what it makes of that tells nothing.
    if (beginning.status === 'rejected') throw beginning.reason;
    if (reading.status === 'rejected') throw reading.reason;
    signals.signal?.throwIfAborted();
    lent.giveBackBehindCommit();
    return reading.value;
  });
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
export function runStatement<Row>(
  pool: pg.Pool,
  { text, values = [] }: Statement,
  signals: TransactionSignals,
): Promise<readonly Row[]> {
  return onLentClient(pool, signals, async (lent) => {
    const { rows } = await lent.client.query(text, [...values]);
    lent.giveBack();
    return rows as Row[];
  });
}

/** Lends a connection to `use`, which gives it back; an error or an abort rolls back what it did. */
async function onLentClient<T>(
  pool: pg.Pool,
  signals: TransactionSignals,
  use: (lent: LentClient) => Promise<T>,
): Promise<T> {
  const lent = await borrow(pool, signals);
  try {
    return await use(lent);
  } catch (error) {
    // Asked before the rollback, during which a late abort may come.
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
