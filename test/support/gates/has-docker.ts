import { execFileSync } from 'node:child_process';

/** What a hook may take that starts a container, in ms: its image may have to come first. */
export const CONTAINER_START_MS = 300_000;

/** Whether a daemon answers; a client alone is of no use. */
export function hasDocker(): boolean {
  try {
    const args = ['version', '--format', '{{.Server.Version}}'];
    execFileSync('docker', args, { stdio: 'ignore', timeout: 5_000 });
    return true;
  } catch {
    return false;
  }
}
