import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@sightline/contracts/client';
import type { RunningService } from './running-service.ts';

type Health = NonNullable<Awaited<ReturnType<Client['getHealth']>>['body']>;

const PAUSE_MS = 100;

/** Polls until health has this status, because the answer of health may be a second old. */
export async function untilHealthSays(
  service: Pick<RunningService, 'fetch'>,
  status: Health['status'],
): Promise<Health> {
  for (;;) {
    const response = await service.fetch('/api/health');
    const health = (await response.json()) as Health;
    if (health.status === status) return health;
    await sleep(PAUSE_MS);
  }
}
