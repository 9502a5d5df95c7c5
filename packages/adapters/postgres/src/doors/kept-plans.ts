import type pg from 'pg';

/** How long a connection keeps the plans of prepared statements, in ms. */
const KEPT_MS = 10_000;

/**
 * Makes connections discard prepared plans periodically. A plan suits the table sizes at its creation: a plan from
 * an empty library would scan all of a full one, until the server analyzes the tables a minute later or more.
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
