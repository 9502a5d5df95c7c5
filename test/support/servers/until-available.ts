import { setTimeout as sleep } from 'node:timers/promises';

const UNAVAILABLE = 503;
const PAUSE_MS = 100;

/**
 * Retries on 503, as clients do, because the service notices a recovered store only within a second
 * or two.
 */
export async function untilAvailable<T extends { readonly status: number }>(
  ask: () => Promise<T>,
): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (answer.status !== UNAVAILABLE) return answer;
    await sleep(PAUSE_MS);
  }
}
