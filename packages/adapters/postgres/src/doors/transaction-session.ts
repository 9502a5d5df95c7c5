import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import { drizzle } from '../drizzle.ts';

export interface QueryClient {
  query(query: pg.QueryConfig, values?: unknown[]): Promise<pg.QueryResult>;
}

/**
 * Sends the queries of one transaction, from the query builder (`db`) or as SQL text. The session closes with its
 * transaction. Otherwise a parallel branch of the work that still runs, for example after another branch failed, could
 * send statements into the next transaction of the connection.
 */
export class TransactionSession {
  readonly db: NodePgDatabase;
  readonly #client: QueryClient;
  #isOpen = true;
  #next: TransactionSession | null = null;

  constructor(client: QueryClient) {
    this.#client = client;
    // The query builder calls no other method of a client.
    const guarded: QueryClient = { query: this.#run };
    this.db = drizzle({ client: guarded as unknown as pg.PoolClient });
  }

  /** Returns rows with the driver's types: ids and counts are numbers, times are dates, bytes are buffers. */
  async query<Row>(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    const { rows } = await this.#run({ text }, [...values]);
    return rows as Row[];
  }

  /**
   * Works like {@link query}, but each connection keeps the plan under this name, which must be unique to the text. The
   * plan is the same for all environments. Use it for frequent lookups by key, for which planning would take longer
   * than the execution.
   */
  async prepared<Row>(
    name: string,
    text: string,
    values: readonly unknown[],
  ): Promise<readonly Row[]> {
    const { rows } = await this.#run({ name, text }, [...values]);
    return rows as Row[];
  }

  /**
   * Returns a new session for the same transaction and closes this one, also for parallel branches that still use it.
   */
  renew(): TransactionSession {
    this.close();
    this.#next = new TransactionSession(this.#client);
    return this.#next;
  }

  close(): void {
    this.#isOpen = false;
    this.#next?.close();
  }

  readonly #run: QueryClient['query'] = (query, values) => {
    if (!this.#isOpen) throw new Error('The transaction of this query has ended.');
    return this.#client.query(query, values);
  };
}
