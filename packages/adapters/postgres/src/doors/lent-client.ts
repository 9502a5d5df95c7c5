import pg from 'pg';

/**
 * A connection that a pool lends for one transaction. It goes back when it is certainly outside of a
 * transaction, and is closed otherwise.
 */
export class LentClient {
  readonly client: pg.PoolClient;
  readonly #pool: pg.Pool;
  readonly #signal: AbortSignal | undefined;

  private constructor(pool: pg.Pool, client: pg.PoolClient, signal: AbortSignal | undefined) {
    this.client = client;
    this.#pool = pool;
    this.#signal = signal;
    signal?.addEventListener('abort', this.#abandon, { once: true });
  }

  /** @throws the driver's errors; the signal's reason */
  static async borrow(pool: pg.Pool, signal: AbortSignal | undefined): Promise<LentClient> {
    signal?.throwIfAborted();
    const client = await connectionOrAbort(pool, signal);
    return new LentClient(pool, client, signal);
  }

  /** From here on it is too late for an abort. */
  ignoreAbort(): void {
    this.#signal?.removeEventListener('abort', this.#abandon);
  }

  giveBack(): void {
    this.ignoreAbort();
    this.client.release();
  }

  async rollBack(): Promise<void> {
    this.ignoreAbort();
    try {
      // After an abort this fails, as the connection is closed.
      await this.client.query('ROLLBACK');
      this.client.release();
    } catch {
      this.client.release(true);
    }
  }

  /** The server does not notice a closed connection while it waits for a lock: it has to be told. */
  readonly #abandon = (): void => {
    const { processID } = this.client as pg.PoolClient & { readonly processID: number };
    void this.client.end();
    void cancelBackend(this.#pool, processID);
  };
}

async function connectionOrAbort(
  pool: pg.Pool,
  signal: AbortSignal | undefined,
): Promise<pg.PoolClient> {
  const waiting = pool.connect();
  if (signal === undefined) return waiting;
  const aborted = Promise.withResolvers<never>();
  const onAbort = (): void => aborted.reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([waiting, aborted.promise]);
  } catch (error) {
    // The pool cannot take a request back: its connection returns as it came.
    waiting.then(
      (client) => client.release(),
      () => undefined,
    );
    throw error;
  } finally {
    signal.removeEventListener('abort', onAbort);
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
