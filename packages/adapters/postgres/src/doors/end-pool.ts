import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';

/** How long an unresponsive server may delay a stop, in ms. */
const FAREWELL_MS = 2_000;

/** Ends a pool, and settles when the server has closed its connections. */
export type EndPool = () => Promise<void>;

/**
 * Returns a function that ends the pool. `pool.end()` resolves as soon as the clients have sent their termination
 * messages; a server that is stopped at that moment ends their sessions itself and counts them as lost connections.
 *
 * @param pool without connections so far
 */
export function endingOf(pool: pg.Pool): EndPool {
  const open = new Set<pg.PoolClient>();
  pool.on('connect', (client) => {
    open.add(client);
    client.once('end', () => open.delete(client));
  });
  return async () => {
    await pool.end();
    const closed = Promise.all([...open].map((client) => once(client, 'end')));
    const stop = new AbortController();
    await Promise.race([closed, delay(FAREWELL_MS, undefined, { signal: stop.signal })]);
    stop.abort();
  };
}
