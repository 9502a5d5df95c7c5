import { execFileSync } from 'node:child_process';
import type pg from 'pg';
import { waitUntilStopped } from './wait-until-stopped.ts';

/** The id of the server's main process, the parent of all others. */
export async function mainProcessOf(client: Pick<pg.Client, 'query'>): Promise<number> {
  const { rows } = await client.query<{ text: string }>(
    `SELECT pg_read_file('postmaster.pid') AS text`,
  );
  return Number.parseInt(rows[0]!.text);
}

/**
 * Pauses all processes of a server and returns their ids. The main process is paused first, so that
 * it starts no new ones.
 */
export function stopPostgres(main: number): readonly number[] {
  signalAll([main], 'SIGSTOP');
  waitUntilStopped(main);
  const children = ps('-o', 'pid=', '--ppid', String(main)).split(/\s+/).map(Number);
  signalAll(children, 'SIGSTOP');
  return [main, ...children];
}

export async function killPostgres(main: number): Promise<void> {
  const pids = stopPostgres(main);
  signalAll(pids, 'SIGKILL');
  while (pids.some(isAlive)) await new Promise((resolve) => setImmediate(resolve));
}

export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      // A backend may have ended after it was listed.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

function ps(...args: readonly string[]): string {
  return execFileSync('ps', args, { encoding: 'utf8' }).trim();
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
