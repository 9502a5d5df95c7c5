import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import { drizzle } from '../drizzle.ts';

/** The part of a connection that a session uses. */
export interface QueryClient {
  query(query: pg.QueryConfig, values?: unknown[]): Promise<pg.QueryResult>;
}

/**
 * The queries of one transaction, of the query builder (`db`) or SQL text. The session closes with its
 * transaction: a branch that still runs then, for example because another branch failed, must not send statements
 * into the next transaction of the connection.
 */
export class TransactionSession {
  readonly db: NodePgDatabase;
  readonly #client: QueryClient;
  #isOpen = true;
  #next: TransactionSession | null = null;

  constructor(client: QueryClient) {
    this.#client = client;
    // The builder calls no other method of a client.
    const guarded: QueryClient = { query: this.#run };
    this.db = drizzle({ client: guarded as unknown as pg.PoolClient });
  }

  /** Returns rows as the driver reads them: ids and counts as numbers, times as dates, bytes as buffers. */
  async query<Row>(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    const { rows } = await this.#run({ text }, [...values]);
    return rows as Row[];
  }

  /**
   * As {@link query}, under a name that is unique to this text: each connection keeps its plan, which is the same
   * for all environments. Use it for statements that find their rows by keys and run so often that planning would
   * take most of their time.
   */
  async prepared<Row>(
    name: string,
    text: string,
    values: readonly unknown[],
  ): Promise<readonly Row[]> {
    const { rows } = await this.#run({ name, text }, [...values]);
    return rows as Row[];
  }

  /** Returns a new session for the same transaction and closes this one, together with branches that still use it. */
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
