import { execFileSync } from 'node:child_process';

/** Whether a daemon answers; a client alone is of no use. */
export function hasDocker(): boolean {
  try {
    const words = ['version', '--format', '{{.Server.Version}}'];
    execFileSync('docker', words, { stdio: 'ignore', timeout: 5_000 });
    return true;
  } catch {
    return false;
  }
}
