import { basename } from 'node:path';

/** How the names of folders of runs begin; then comes the process id of jest. */
export const RUN_PREFIX = 'sightline-tests-';

/** The process that runs the tests of a folder. */
export function runnerOf(folder: string): number {
  return Number.parseInt(basename(folder).slice(RUN_PREFIX.length));
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
