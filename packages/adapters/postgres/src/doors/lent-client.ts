import type { Socket } from 'node:net';
import pg from 'pg';
import { orAbort } from '@sightline/platform/resilience/or-abort';
import { refusesWrites } from './store-failure.ts';

/** Who may end a transaction before its time. */
export interface TransactionSignals {
  /** Aborts with the caller, or when the server is found to hang. */
  readonly signal: AbortSignal | undefined;
  /** The caller's own. */
  readonly caller: AbortSignal | undefined;
}

/** What the driver has beside what its types say. */
type Client = pg.PoolClient & {
  readonly processID: number;
  readonly connection: { readonly stream: Socket };
};

const ROLLBACK_MS = 5_000;

/**
 * A connection that a pool lends for one transaction. It goes back when what is sent on it next is
 * certainly outside of a transaction, and is closed otherwise.
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

  /** From here on it is too late for the caller's abort; a server that hangs is still let go of. */
  ignoreCaller(): void {
    this.#isTooLate = true;
  }

  giveBack(): void {
    this.#forgetSignals();
    this.client.release();
  }

  /**
   * Ends a transaction that has only read and gives the connection back at once, where statements are
   * sent without waiting for the answers to those before: the next ones stand behind the end.
   */
  giveBackBehindCommit(): void {
    const { connection } = this.client as Client;
    // Whoever has the connection by then hears of it as of one that is lost.
    this.client.query('COMMIT').catch(() => connection.stream.destroy());
    this.giveBack();
  }

  async rollBack(error: unknown): Promise<void> {
    this.#isTooLate = true;
    try {
      // After an abort this fails, as the connection is closed.
      await this.client.query({ text: 'ROLLBACK', query_timeout: ROLLBACK_MS } as pg.QueryConfig);
      // Of a server that cannot be written to any more, the name may lead to another one by now.
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
    // A server that hangs would never take its leave.
    connection.stream.destroy();
    // One that works does not notice while it waits for a lock: it has to be told.
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
    // The pool cannot take a request back: its connection returns as it came.
    waiting.then(
      (client) => client.release(),
      () => undefined,
    );
    throw error;
  }
}

/** On a connection of its own: those of the pool may all be waiting. */
async function cancelBackend(pool: pg.Pool, processId: number): Promise<void> {
  const client = new pg.Client(pool.options);
  // Who cannot be cancelled ends by the time limit of statements.
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
