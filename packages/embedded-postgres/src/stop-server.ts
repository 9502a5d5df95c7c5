import { setTimeout as delay } from 'node:timers/promises';
import { findServer, type FoundServer, isAlive } from './find-server.ts';
import { removeSocketFolder } from './socket-folder.ts';

/** The shutdown modes of Postgres. Fast ends all sessions and writes all data to disk; immediate exits without that. */
const FAST: Shutdown = { signal: 'SIGINT', waitMs: 30_000 };
const IMMEDIATE: Shutdown = { signal: 'SIGQUIT', waitMs: 10_000 };

interface Shutdown {
  readonly signal: NodeJS.Signals;
  readonly waitMs: number;
}

/**
 * Stops the server of a location, if it is running.
 *
 * @returns false if the server did not shut down cleanly; the next start then recovers from the write-ahead log
 */
export async function stopServer(location: string): Promise<boolean> {
  const server = await findServer(location);
  if (server === undefined) return true;
  const clean = await endServer(location, server);
  if (server.socketFolder !== undefined) await removeSocketFolder(server.socketFolder, location);
  return clean;
}

/**
 * Ends a server and its open sessions, also if it is already stopping and waits for the sessions.
 *
 * @returns false if the server did not shut down cleanly; the next start then recovers from the write-ahead log
 */
export async function endServer(location: string, server: FoundServer): Promise<boolean> {
  if (await shutDown(location, server, FAST)) return true;
  await shutDown(location, server, IMMEDIATE);
  return false;
}

async function shutDown(
  location: string,
  { pid }: FoundServer,
  { signal, waitMs }: Shutdown,
): Promise<boolean> {
  if (isAlive(pid)) process.kill(pid, signal);
  const deadline = performance.now() + waitMs;
  while ((await findServer(location))?.pid === pid) {
    if (performance.now() > deadline) return false;
    await delay(20);
  }
  return true;
}
