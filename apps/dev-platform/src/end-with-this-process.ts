import { spawn } from 'node:child_process';

/** Waits for the end of its input, which comes with the end of whoever writes to it. */
const WATCH = 'read -r _; kill -TERM "$1"; kill -CONT "$1"';

/**
 * Asks another process to end as soon as this one has ended, however that ends: a supervisor that was
 * killed would leave what it started behind, on the ports and folders of its successor.
 *
 * @returns forgets the process, once it has ended
 */
export function endWithThisProcess(pid: number): () => void {
  const watcher = spawn('/bin/sh', ['-c', WATCH, 'sh', String(pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // Ctrl-C reaches a whole process group.
    detached: true,
  });
  watcher.on('error', () => undefined);
  return () => void watcher.kill('SIGKILL');
}
