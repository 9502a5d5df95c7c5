import type pg from 'pg';
import type { KeptPlans } from './kept-plans.ts';
import { LentClient, type TransactionSignals } from './lent-client.ts';
import { hungServer } from './store-failure.ts';
import { type QueryClient, TransactionSession } from './transaction-session.ts';

export interface TransactionOptions extends TransactionSignals {
  readonly plans: KeptPlans;
  /** The first statements, including `BEGIN`, as one text for one round trip. */
  readonly begin: string;
  /** Time limit of the answer to a statement of the work, in ms; default: that of the pool. */
  readonly answerTimeout?: number | undefined;
}

/**
 * Runs a transaction on a connection of the pool and commits it; an error or an abort rolls it back. Until COMMIT is
 * sent, the caller's abort ends the transaction at once, even while the server waits for a lock. If the server hangs,
 * the connection is closed even after that, and it is unknown whether the COMMIT took effect.
 *
 * @throws what the work throws; the driver's errors; the caller's reason; StoreUnavailable if the server hangs
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
 * Runs a transaction that only reads, on a connection that pipelines statements: the first one is sent without
 * waiting for the answer to BEGIN, and the connection is returned without waiting for the answer to COMMIT. Aborts
 * work as in {@link runTransaction}.
 *
 * @throws as {@link runTransaction}
 */
export function runReading<T>(
  pool: pg.Pool,
  { begin, plans, ...signals }: TransactionOptions,
  work: (session: TransactionSession) => Promise<T>,
): Promise<T> {
  return onLentClient(pool, signals, async (lent) => {
    const begun = lent.client.query(plans.begin(lent.client, begin));
    const [beginning, reading] = await Promise.allSettled([begun, inSession(lent.client, work)]);
    // If BEGIN failed, the work's error is only a consequence: throw BEGIN's.
    if (beginning.status === 'rejected') throw beginning.reason;
    if (reading.status === 'rejected') throw reading.reason;
    signals.signal?.throwIfAborted();
    lent.giveBackBehindCommit();
    return reading.value;
  });
}

export interface StatementOptions extends TransactionSignals {
  /** The comment in front of the statement. */
  readonly purpose: string;
}

/**
 * Runs one statement as a transaction of its own, in one round trip. Aborts work as in {@link runTransaction}, except
 * that the statement may still have been executed.
 *
 * @throws as {@link runTransaction}; Error if the work sends a second statement
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

function forOneStatement(client: pg.PoolClient, purpose: string): QueryClient {
  let isUsed = false;
  return {
    query: (query, values) => {
      if (isUsed) throw new Error('A second statement needs a transaction.');
      isUsed = true;
      const text = `/* ${purpose} */ ${query.text}`;
      return client.query({ ...query, text }, values);
    },
  };
}

/** The driver accepts the limit with each query; its types lack that option. */
function withAnswerTimeout(client: pg.PoolClient, limit: number | undefined): QueryClient {
  if (limit === undefined) return client;
  return {
    query: (query, values) =>
      client.query({ ...query, query_timeout: limit } as pg.QueryConfig, values),
  };
}

/** Lends a connection to `use`, which returns it; after an error or an abort the transaction is rolled back. */
async function onLentClient<T>(
  pool: pg.Pool,
  signals: TransactionSignals,
  use: (lent: LentClient) => Promise<T>,
): Promise<T> {
  const lent = await borrow(pool, signals);
  try {
    return await use(lent);
  } catch (error) {
    // The failure is determined before the rollback: an abort during the rollback comes too late to count.
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

/** The error that callers see: after an abort, the reason of the abort. */
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

/** Commits. If a statement has failed, Postgres answers COMMIT with a rollback instead of an error. */
async function commit(client: pg.PoolClient): Promise<void> {
  const { command } = await client.query('COMMIT');
  if (command !== 'COMMIT') throw new Error('A statement of the transaction had failed before.');
}
