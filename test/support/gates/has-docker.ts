import { execFileSync } from 'node:child_process';

/** Whether the Docker daemon responds. The client may be installed without a daemon. */
export function hasDocker(): boolean {
  try {
    const args = ['version', '--format', '{{.Server.Version}}'];
    execFileSync('docker', args, { stdio: 'ignore', timeout: 5_000 });
    return true;
  } catch {
    return false;
  }
}
