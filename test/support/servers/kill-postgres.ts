import { execFileSync } from 'node:child_process';
import type pg from 'pg';

/** The first process of the server that a superuser is connected to, which has started all others. */
export async function mainProcessOf(client: Pick<pg.Client, 'query'>): Promise<number> {
  const { rows } = await client.query<{ text: string }>(
    `SELECT pg_read_file('postmaster.pid') AS text`,
  );
  return Number.parseInt(rows[0]!.text);
}

/**
 * Stops all processes of a server, so that none of them goes on; answers their ids. The first one stops
 * first: then there are no new ones.
 */
export function stopPostgres(main: number): readonly number[] {
  signalAll([main], 'SIGSTOP');
  while (!ps('-o', 'stat=', '-p', String(main)).startsWith('T'));
  const children = ps('-o', 'pid=', '--ppid', String(main)).split(/\s+/).map(Number);
  signalAll(children, 'SIGSTOP');
  return [main, ...children];
}

/** Ends a server without warning, and all that it was doing. */
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
      // A backend may have ended since.
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
