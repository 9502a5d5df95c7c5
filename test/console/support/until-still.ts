import { setTimeout as delay } from 'node:timers/promises';
import type { Locator } from 'playwright-core';

/** Browsers move smoothly, and later than the wheel. */
const STILL_MS = 300;

/** Waits until an element no longer scrolls. */
export async function untilStill(element: Locator): Promise<void> {
  let last = NaN;
  for (;;) {
    const scrollTop = await element.evaluate(
      (node) => (node as unknown as { scrollTop: number }).scrollTop,
    );
    if (scrollTop === last) return;
    last = scrollTop;
    await delay(STILL_MS);
  }
}
