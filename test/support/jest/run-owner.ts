import { basename } from 'node:path';

/** The prefix of the names of run folders. The process id of jest follows it. */
export const RUN_PREFIX = 'sightline-tests-';

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
