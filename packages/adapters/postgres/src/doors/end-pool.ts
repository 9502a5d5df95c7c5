import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';

/** How long a server that does not answer anymore may delay a stop, in ms. */
const FAREWELL_MS = 2_000;

/** Ends a pool, and settles when the server has closed its connections. */
export type EndPool = () => Promise<void>;

/**
 * A pool says that it has ended when its clients have only sent their farewell. A server that is stopped
 * in that moment ends their sessions, which counts as connections that were lost.
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
