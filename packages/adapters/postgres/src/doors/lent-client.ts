import type { Socket } from 'node:net';
import pg from 'pg';
import { orAbort } from '@sightline/platform/resilience/or-abort';
import { refusesWrites } from './store-failure.ts';

export interface TransactionSignals {
  /** Aborts if the caller aborts or the server hangs. */
  readonly signal: AbortSignal | undefined;
  readonly caller: AbortSignal | undefined;
}

/** Internal members of the driver's client, which its types omit. */
type Client = pg.PoolClient & {
  readonly processID: number;
  readonly connection: { readonly stream: Socket };
};

const ROLLBACK_MS = 5_000;

/**
 * A connection that a pool lends to one transaction. The connection returns to the pool only if its next statement will
 * certainly run after this transaction; otherwise the connection is closed.
 */
export class LentClient {
  readonly client: pg.PoolClient;
  readonly #pool: pg.Pool;
  readonly #signals: TransactionSignals;
  #isTooLate = false;

  private constructor(pool: pg.Pool, client: pg.PoolClient, signals: TransactionSignals) {
    this.client = client;
    this.#pool = pool;
    this.#signals = signals;
    signals.signal?.addEventListener('abort', this.#abandon, { once: true });
  }

  /** @throws errors of the driver; the signal's reason on abort */
  static async borrow(pool: pg.Pool, signals: TransactionSignals): Promise<LentClient> {
    signals.signal?.throwIfAborted();
    const client = await connectionOrAbort(pool, signals.signal);
    return new LentClient(pool, client, signals);
  }

  /** Makes the transaction ignore the caller's abort from now on. A hung server still ends the transaction. */
  ignoreCaller(): void {
    this.#isTooLate = true;
  }

  giveBack(): void {
    this.#forgetSignals();
    this.client.release();
  }

  /**
   * Sends COMMIT for a transaction that has only read, and returns the connection to the pool at once. Statements of
   * the next transaction follow the COMMIT, because the connection pipelines.
   */
  giveBackBehindCommit(): void {
    const { connection } = this.client as Client;
    // If the COMMIT fails, the connection is closed, and the next transaction sees a lost connection.
    this.client.query('COMMIT').catch(() => connection.stream.destroy());
    this.giveBack();
  }

  async rollBack(error: unknown): Promise<void> {
    this.#isTooLate = true;
    try {
      // After an abort the connection is already closed, so ROLLBACK fails, and the pool discards the connection
      // below.
      await this.client.query({ text: 'ROLLBACK', query_timeout: ROLLBACK_MS } as pg.QueryConfig);
      // A server that refuses writes may be a standby after a failover. The connection is closed, so that the pool
      // resolves the host name again.
      this.client.release(refusesWrites(error));
    } catch {
      this.client.release(true);
    } finally {
      this.#forgetSignals();
    }
  }

  #forgetSignals(): void {
    this.#signals.signal?.removeEventListener('abort', this.#abandon);
  }

  readonly #abandon = (): void => {
    const isCaller = this.#signals.caller?.aborted === true;
    if (isCaller && this.#isTooLate) return;
    const { processID, connection } = this.client as Client;
    void this.client.end();
    // A hung server never answers the termination message, so the socket is closed as well.
    connection.stream.destroy();
    // A working server that waits for a lock does not notice the closed socket, so the statement is canceled.
    if (isCaller) void cancelBackend(this.#pool, processID);
  };
}

async function connectionOrAbort(
  pool: pg.Pool,
  signal: AbortSignal | undefined,
): Promise<pg.PoolClient> {
  const waiting = pool.connect();
  try {
    return await orAbort(waiting, signal);
  } catch (error) {
    // The pool cannot cancel a request for a connection, so the connection is returned unused when it arrives.
    waiting.then(
      (client) => client.release(),
      () => undefined,
    );
    throw error;
  }
}

/** Cancels the statement over a separate connection, because all connections of the pool may be busy. */
async function cancelBackend(pool: pg.Pool, processId: number): Promise<void> {
  const client = new pg.Client(pool.options);
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT pg_cancel_backend($1)', [processId]);
  } catch {
    // If the cancel fails, the statement still ends at its time limit.
  } finally {
    await client.end();
  }
}
