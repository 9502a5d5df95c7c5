import type pg from 'pg';

/** How long a connection keeps the plans of prepared statements, in ms. */
const KEPT_MS = 10_000;

/**
 * Lets connections forget plans now and then. A plan is for tables of the size that they had when it was made: one for
 * an empty library would read all of a full one, until the server has looked at the tables again, a minute later or
 * more.
 */
export class KeptPlans {
  readonly #keptMs: number;
  readonly #since = new WeakMap<pg.PoolClient, number>();

  constructor(keptMs = KEPT_MS) {
    this.#keptMs = keptMs;
  }

  /** The first statements of a transaction on this connection. */
  begin(client: pg.PoolClient, begin: string): string {
    const now = performance.now();
    const since = this.#since.get(client);
    if (since !== undefined && now < since + this.#keptMs) return begin;
    this.#since.set(client, now);
    return since === undefined ? begin : `${begin}; DISCARD PLANS`;
  }
}
