import type pg from 'pg';
import { type BinaryRow, copyOut } from './copy-out.ts';
import type { KeptPlans } from './kept-plans.ts';
import { LentClient, type TransactionSignals } from './lent-client.ts';
import { hungServer } from './store-failure.ts';
import { type QueryClient, TransactionSession } from './transaction-session.ts';

export interface TransactionOptions extends TransactionSignals {
  readonly plans: KeptPlans;
  /** The first statements, including `BEGIN`, as one text for one round trip. */
  readonly begin: string;
  /** The time limit for the answer to each statement of the work, in ms. The default is the limit of the pool. */
  readonly answerTimeout?: number | undefined;
}

/**
 * Runs a transaction and commits it. An error or an abort rolls it back. Before COMMIT is sent, an abort by the caller
 * ends the transaction at once, even while the server waits for a lock. After COMMIT is sent, only a hung server ends
 * the transaction: the connection is closed, and whether the COMMIT took effect is unknown.
 *
 * @throws errors of the work and of the driver; the caller's reason on abort; StoreUnavailable if the server hangs
 */
export function runTransaction<T>(
  pool: pg.Pool,
  { begin, plans, answerTimeout, ...signals }: TransactionOptions,
  work: (session: TransactionSession) => Promise<T>,
): Promise<T> {
  return onLentClient(pool, signals, async (lent) => {
    await lent.client.query(plans.begin(lent.client, begin));
    const result = await inSession(withAnswerTimeout(lent.client, answerTimeout), work);
    signals.signal?.throwIfAborted();
    lent.ignoreCaller();
    await commit(lent.client);
    lent.giveBack();
    return result;
  });
}

/**
 * Runs a transaction that only reads, on a connection that pipelines statements. The first statement does not wait for
 * the answer to BEGIN, and the connection returns to the pool before COMMIT is answered. Aborts work as in {@link
 * runTransaction}.
 *
 * @throws like {@link runTransaction}
 */
export function runReading<T>(
  pool: pg.Pool,
  { begin, plans, ...signals }: TransactionOptions,
  work: (session: TransactionSession) => Promise<T>,
): Promise<T> {
  return onLentClient(pool, signals, async (lent) => {
    const begun = lent.client.query(plans.begin(lent.client, begin));
    const [beginning, reading] = await Promise.allSettled([begun, inSession(lent.client, work)]);
    // If BEGIN failed, the error of the work is only a consequence, so the error of BEGIN is thrown.
    if (beginning.status === 'rejected') throw beginning.reason;
    if (reading.status === 'rejected') throw reading.reason;
    signals.signal?.throwIfAborted();
    lent.giveBackBehindCommit();
    return reading.value;
  });
}

export interface StatementOptions extends TransactionSignals {
  /** The purpose of the statement, sent as a comment before it. */
  readonly purpose: string;
}

/**
 * Runs one statement as its own transaction, in one round trip. After an abort the statement may still have been
 * executed.
 *
 * @throws like {@link runTransaction}; Error if the work sends a second statement
 */
export function runStatement<T>(
  pool: pg.Pool,
  { purpose, ...signals }: StatementOptions,
  work: (session: TransactionSession) => Promise<T>,
): Promise<T> {
  return onLentClient(pool, signals, async (lent) => {
    const result = await inSession(forOneStatement(lent.client, purpose), work);
    lent.giveBack();
    return result;
  });
}

/**
 * Reads the rows of a query in binary form, as its own transaction, in one round trip.
 *
 * @param query SQL without parameters
 * @throws like {@link runTransaction}
 */
export function runCopy(
  pool: pg.Pool,
  { purpose, ...signals }: StatementOptions,
  query: string,
): Promise<readonly BinaryRow[]> {
  return onLentClient(pool, signals, async (lent) => {
    const rows = await copyOut(lent.client, `/* ${purpose} */ ${query}`);
    lent.giveBack();
    return rows;
  });
}

function forOneStatement(client: pg.PoolClient, purpose: string): QueryClient {
  let isUsed = false;
  return {
    query: (query, values) => {
      if (isUsed) throw new Error('Only one statement is allowed without a transaction.');
      isUsed = true;
      const text = `/* ${purpose} */ ${query.text}`;
      return client.query({ ...query, text }, values);
    },
  };
}

/** Sets a time limit for each answer. The driver supports this option, although its types omit it. */
function withAnswerTimeout(client: pg.PoolClient, limit: number | undefined): QueryClient {
  if (limit === undefined) return client;
  return {
    query: (query, values) =>
      client.query({ ...query, query_timeout: limit } as pg.QueryConfig, values),
  };
}

/**
 * Borrows a connection for `use`, which returns the connection. After an error or an abort the transaction is rolled
 * back.
 */
async function onLentClient<T>(
  pool: pg.Pool,
  signals: TransactionSignals,
  use: (lent: LentClient) => Promise<T>,
): Promise<T> {
  const lent = await borrow(pool, signals);
  try {
    return await use(lent);
  } catch (error) {
    // The error is chosen before the rollback, so that an abort during the rollback does not replace it.
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

function failureOf(error: unknown, { signal, caller }: TransactionSignals): unknown {
  if (caller?.aborted === true) return caller.reason;
  return signal?.aborted === true ? hungServer(signal.reason) : error;
}

async function inSession<T>(
  client: QueryClient,
  work: (session: TransactionSession) => Promise<T>,
): Promise<T> {
  const session = new TransactionSession(client);
  try {
    return await work(session);
  } finally {
    session.close();
  }
}

/** Commits the transaction. If a statement has failed, Postgres answers COMMIT with a rollback instead of an error. */
async function commit(client: pg.PoolClient): Promise<void> {
  const { command } = await client.query('COMMIT');
  if (command !== 'COMMIT') throw new Error('A statement of the transaction has failed.');
}
