import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';

/** How long an unresponsive server may delay a stop, in ms. */
const FAREWELL_MS = 2_000;

/** Ends a pool, and settles when the server has closed its connections. */
export type EndPool = () => Promise<void>;

/**
 * A pool reports its end as soon as its clients have sent their termination message. If the server is stopped at
 * that time, it ends their sessions and counts them as lost connections.
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
