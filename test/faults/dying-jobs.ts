import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import type { RunningStandalone } from '../support/services/running-standalone.ts';
import type { DyingLibrary } from './dying-library.ts';

const PAUSE_MS = 200;

export interface Started {
  readonly job_id: number;
}

/** Lets a service die while it works on the job that a request makes. */
export async function dieOverJob<T extends Started>(
  service: RunningStandalone,
  request: (service: RunningStandalone) => Promise<T>,
): Promise<T> {
  const exit = once(service.process, 'exit');
  service.process.kill('SIGUSR2');
  const job = await request(service);
  expect(await exit).toEqual([null, 'SIGKILL']);
  return job;
}

/** Waits until the row of a job says that it has ended. */
export async function untilEnded(library: DyingLibrary, id: number): Promise<void> {
  for (;;) {
    const [job] = await library.query(
      'SELECT FROM jobs WHERE id = $1 AND finished_at IS NOT NULL',
      [id],
    );
    if (job !== undefined) return;
    await sleep(PAUSE_MS);
  }
}
