import { spawn } from 'node:child_process';

/** A shell script that signals a process when the script's input ends, which is when this process has ended. */
const WATCH = 'read -r _; kill -TERM "$1"; kill -CONT "$1"';

/**
 * Sends SIGTERM to another process when this one has ended, however it ended: the children of a
 * supervisor that was killed would otherwise keep the ports and folders that its successor needs.
 *
 * @returns a function that stops watching, for when the other process has ended
 */
export function endWithThisProcess(pid: number): () => void {
  const watcher = spawn('/bin/sh', ['-c', WATCH, 'sh', String(pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // Ctrl-C signals a whole process group.
    detached: true,
  });
  watcher.on('error', () => undefined);
  return () => void watcher.kill('SIGKILL');
}
