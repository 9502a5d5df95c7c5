import { spawn } from 'node:child_process';

/** A shell script that signals a process when its standard input ends. The input ends when this process ends. */
const WATCH = 'read -r _; kill -TERM "$1"; kill -CONT "$1"';

/**
 * Sends SIGTERM to another process when this process ends, even if this process is killed. Otherwise the children of a
 * killed supervisor would keep the ports and folders that the next supervisor needs.
 *
 * @returns a function that cancels this, to be called after the other process has ended
 */
export function endWithThisProcess(pid: number): () => void {
  const watcher = spawn('/bin/sh', ['-c', WATCH, 'sh', String(pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // A separate process group protects the watcher from Ctrl-C, which signals the whole group of the terminal.
    detached: true,
  });
  watcher.on('error', () => undefined);
  return () => void watcher.kill('SIGKILL');
}
