import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@sightline/contracts/client';
import { ok } from './ok.ts';

type Health = NonNullable<Awaited<ReturnType<Client['getHealth']>>['body']>;

const PAUSE_MS = 100;

/** Asks until health has this status, because what it says may be a second old. */
export async function untilHealthSays(client: Client, status: Health['status']): Promise<Health> {
  for (;;) {
    const health = ok(await client.getHealth());
    if (health.status === status) return health;
    await sleep(PAUSE_MS);
  }
}
