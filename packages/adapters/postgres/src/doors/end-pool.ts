import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';

/** The longest time to wait for an unresponsive server when the process stops, in ms. */
const FAREWELL_MS = 2_000;

/** Ends a pool. The promise settles when the server has closed all connections. */
export type EndPool = () => Promise<void>;

/**
 * Returns a function that ends the pool. `pool.end()` alone does not wait until the server has closed the
 * connections. If the server stopped before that, the server would end these connections itself and count them as
 * lost.
 *
 * @param pool a pool that has not connected yet
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
