import { execFileSync } from 'node:child_process';

/** Timeout of a hook that starts a container, in ms: Docker may have to pull the image first. */
export const CONTAINER_START_MS = 300_000;

/** Whether the Docker daemon responds: the client may be installed without one. */
export function hasDocker(): boolean {
  try {
    const args = ['version', '--format', '{{.Server.Version}}'];
    execFileSync('docker', args, { stdio: 'ignore', timeout: 5_000 });
    return true;
  } catch {
    return false;
  }
}
