import { setTimeout as delay } from 'node:timers/promises';
import { findServer, type FoundServer, isAlive } from './find-server.ts';
import { removeSocketFolder } from './socket-folder.ts';

/** Postgres' shutdown modes: fast ends sessions and writes everything out, immediate just ends. */
const FAST: Shutdown = { signal: 'SIGINT', waitMs: 30_000 };
const IMMEDIATE: Shutdown = { signal: 'SIGQUIT', waitMs: 10_000 };

interface Shutdown {
  readonly signal: NodeJS.Signals;
  readonly waitMs: number;
}

/**
 * Stops the server of a place, if one runs.
 *
 * @returns whether it ended in order; else the next start recovers what was committed from the log.
 */
export async function stopServer(place: string): Promise<boolean> {
  const server = await findServer(place);
  if (server === undefined) return true;
  const inOrder = await shutDown(place, server, FAST);
  if (!inOrder) await shutDown(place, server, IMMEDIATE);
  if (server.socketFolder !== undefined) await removeSocketFolder(server.socketFolder, place);
  return inOrder;
}

async function shutDown(
  place: string,
  { pid }: FoundServer,
  { signal, waitMs }: Shutdown,
): Promise<boolean> {
  if (isAlive(pid)) process.kill(pid, signal);
  const giveUpAt = Date.now() + waitMs;
  while ((await findServer(place))?.pid === pid) {
    if (Date.now() > giveUpAt) return false;
    await delay(20);
  }
  return true;
}
