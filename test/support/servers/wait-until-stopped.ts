import { execFileSync } from 'node:child_process';

/**
 * Blocks until SIGSTOP has taken effect on a process. On a busy machine, its threads go on for a moment after the
 * signal was sent.
 */
export function waitUntilStopped(pid: number): void {
  const ps = ['-o', 'stat=', '-p', String(pid)];
  while (!execFileSync('ps', ps, { encoding: 'utf8' }).trim().startsWith('T'));
}
