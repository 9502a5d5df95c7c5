import type pg from 'pg';

/** How long a connection keeps the plans of prepared statements, in ms. */
const KEPT_MS = 10_000;

/**
 * Makes connections discard their plans of prepared statements from time to time, because a plan suits the table sizes
 * of its creation. A plan from an empty library would scan a whole table after the library has grown.
 */
export class KeptPlans {
  readonly #keptMs: number;
  readonly #since = new WeakMap<pg.PoolClient, number>();

  constructor(keptMs = KEPT_MS) {
    this.#keptMs = keptMs;
  }

  /** Returns `begin`, followed by a command that discards the plans if they are too old. */
  begin(client: pg.PoolClient, begin: string): string {
    const now = performance.now();
    const since = this.#since.get(client);
    if (since !== undefined && now < since + this.#keptMs) return begin;
    this.#since.set(client, now);
    return since === undefined ? begin : `${begin}; DISCARD PLANS`;
  }
}
