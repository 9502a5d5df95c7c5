import type { Socket } from 'node:net';
import pg from 'pg';
import { orAbort } from '@sightline/platform/resilience/or-abort';
import { refusesWrites } from './store-failure.ts';

/** The signals that end a transaction early. */
export interface TransactionSignals {
  /** Aborts with the caller's signal, or when the server hangs. */
  readonly signal: AbortSignal | undefined;
  /** The caller's own signal. */
  readonly caller: AbortSignal | undefined;
}

/** Members of the driver's client that its types lack. */
type Client = pg.PoolClient & {
  readonly processID: number;
  readonly connection: { readonly stream: Socket };
};

const ROLLBACK_MS = 5_000;

/**
 * A connection that a pool lends for one transaction. It is returned to the pool if its next statement is certain
 * to run outside of a transaction, and closed otherwise.
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

  /** @throws the driver's errors; the signal's reason */
  static async borrow(pool: pg.Pool, signals: TransactionSignals): Promise<LentClient> {
    signals.signal?.throwIfAborted();
    const client = await connectionOrAbort(pool, signals.signal);
    return new LentClient(pool, client, signals);
  }

  /** From here on the caller's abort is too late; a hung server still ends the transaction. */
  ignoreCaller(): void {
    this.#isTooLate = true;
  }

  giveBack(): void {
    this.#forgetSignals();
    this.client.release();
  }

  /**
   * Sends COMMIT for a transaction that has only read, and returns the connection without waiting for
   * the answer: the connection pipelines, so the next statements follow the COMMIT.
   */
  giveBackBehindCommit(): void {
    const { connection } = this.client as Client;
    // If the COMMIT fails, the transaction that uses the connection by then sees a lost connection.
    this.client.query('COMMIT').catch(() => connection.stream.destroy());
    this.giveBack();
  }

  async rollBack(error: unknown): Promise<void> {
    this.#isTooLate = true;
    try {
      // After an abort this fails, because the connection is closed.
      await this.client.query({ text: 'ROLLBACK', query_timeout: ROLLBACK_MS } as pg.QueryConfig);
      // After a failover the host name may lead to another server: close the connection.
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
    // A hung server never answers the termination message.
    connection.stream.destroy();
    // A working server does not notice while the statement waits for a lock: cancel it.
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
    // The pool cannot cancel a request for a connection: return it unused when it comes.
    waiting.then(
      (client) => client.release(),
      () => undefined,
    );
    throw error;
  }
}

/** Cancels on a separate connection, because all of the pool's may be waiting. */
async function cancelBackend(pool: pg.Pool, processId: number): Promise<void> {
  const client = new pg.Client(pool.options);
  // If the cancel fails, the statement ends at its time limit.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT pg_cancel_backend($1)', [processId]);
  } catch {
    // As above.
  } finally {
    await client.end();
  }
}
