import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@sightline/contracts/client';
import type { Page } from 'playwright-core';
import { ok } from '../../support/services/ok.ts';

const DECISIONS = 200;
const A_SECOND = 5;
/** The longest wait for the last decisions to be stored, in ms. */
const LONGEST_MS = 60_000;

export interface Deciding {
  /** Milliseconds from a key to the next face, one for each decision. */
  readonly times: readonly number[];
  /** Decisions that were not stored. */
  readonly lost: number;
}

// Texts, because the types of this program are those of Node. A face is shown in the frame after its picture is there.
const WATCH = `
  globalThis.faceTimes = [];
  const face = () => document.querySelector('main img[alt="The face"]');
  addEventListener('keydown', ({ timeStamp }) => {
    const before = face()?.src;
    const look = () => {
      const now = face();
      if (now && now.src !== before && now.complete && now.naturalWidth > 0) {
        requestAnimationFrame(() => globalThis.faceTimes.push(performance.now() - timeStamp));
      } else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  }, true);`;

/** Confirms faces in Review by keyboard, several in a second, without waiting for any answer. */
export async function decide(page: Page, client: Client): Promise<Deciding> {
  const before = await waiting(client);
  await page.evaluate(WATCH);
  const start = performance.now();
  for (let at = 0; at < DECISIONS; at++) {
    await delay(Math.max(0, start + (at * 1000) / A_SECOND - performance.now()));
    await page.keyboard.press('Enter');
  }
  const end = performance.now() + LONGEST_MS;
  let decided = before - (await waiting(client));
  while (decided < DECISIONS && performance.now() < end) {
    await delay(200);
    decided = before - (await waiting(client));
  }
  const times = await page.evaluate<number[]>('globalThis.faceTimes');
  return { times, lost: DECISIONS - decided };
}

async function waiting(client: Client): Promise<number> {
  return ok(await client.countReviewQueue()).count;
}
