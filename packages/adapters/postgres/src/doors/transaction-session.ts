import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import { drizzle } from '../drizzle.ts';

/**
 * The queries of one transaction. It is closed with it: a branch that still runs then, as when one
 * of several at once has failed, must not come to stand in somebody else's transaction, which the
 * connection is lent to next.
 */
export class TransactionSession {
  readonly db: NodePgDatabase;
  readonly #client: pg.PoolClient;
  #isOpen = true;
  #next: TransactionSession | null = null;

  constructor(client: pg.PoolClient) {
    this.#client = client;
    // The builder calls nothing else of a client.
    const guarded: Pick<pg.PoolClient, 'query'> = { query: this.#run as pg.PoolClient['query'] };
    this.db = drizzle({ client: guarded as unknown as pg.PoolClient });
  }

  /** Rows as the driver reads them: ids and counts as numbers, times as dates, bytes as buffers. */
  async query<Row>(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    const { rows } = await this.#run(text, values);
    return rows as Row[];
  }

  /** Another one for the same transaction: a branch that still runs in this one goes no further. */
  renew(): TransactionSession {
    this.close();
    this.#next = new TransactionSession(this.#client);
    return this.#next;
  }

  close(): void {
    this.#isOpen = false;
    this.#next?.close();
  }

  readonly #run = (
    query: string | pg.QueryConfig,
    values?: readonly unknown[],
  ): Promise<pg.QueryResult> => {
    if (!this.#isOpen) throw new Error('The transaction of this query has ended.');
    return this.#client.query(query as string, values as unknown[]);
  };
}
