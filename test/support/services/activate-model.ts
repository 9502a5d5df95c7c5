import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@sightline/contracts/client';
import { ok, okWith } from './ok.ts';

const PAUSE_MS = 100;

/** Waits until a model has a row, and returns its id. */
export async function modelId(client: Client, name: string): Promise<number> {
  for (;;) {
    const { items } = ok(await client.listModels({ query: { limit: 500 } }));
    const model = items.find((item) => item.name === name);
    if (model !== undefined) return model.id;
    await sleep(PAUSE_MS);
  }
}

/**
 * Activates a model and waits until it is active.
 * @throws Error if the activation is refused, or if its job fails
 */
export async function activateModel(client: Client, name: string): Promise<void> {
  const id = await modelId(client, name);
  const answer = await client.activateModel({ path: { id }, body: {} });
  if (answer.status === 200) return;
  const { job_id } = okWith(202, answer);
  for (;;) {
    const { status } = ok(await client.getJob({ path: { id: job_id } }));
    if (status === 'done') return;
    if (status === 'failed') throw new Error(`The activation of ${name} failed.`);
    await sleep(PAUSE_MS);
  }
}
