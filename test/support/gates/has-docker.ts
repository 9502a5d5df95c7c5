import { execFileSync } from 'node:child_process';

/** The timeout in ms of a hook that starts a container. Docker may have to pull the image first. */
export const CONTAINER_START_MS = 300_000;

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
