import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';

const CHANGES = 20;
/** A change comes after the one before has been followed, at another place in the rhythm of the browsers. */
const PAUSE_MS = 830;
const LONGEST_MS = 60_000;

/** Milliseconds from a key in one browser until the number of waiting faces changes in another one. */
export async function timeFollowing(decider: Page, other: Page): Promise<readonly number[]> {
  const link = other
    .getByRole('navigation', { name: 'Pages' })
    .getByRole('link', { name: 'Review' });
  const times: number[] = [];
  for (let at = 0; at < CHANGES; at++) {
    await delay(PAUSE_MS);
    const before = await link.textContent();
    const start = performance.now();
    await decider.keyboard.press('Enter');
    while ((await link.textContent()) === before) {
      if (performance.now() - start > LONGEST_MS) throw new Error(`The count stays at ${before}.`);
      await delay(10);
    }
    times.push(performance.now() - start);
  }
  return times;
}
