import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';

/** How long pages may have nothing to load before they count as complete, in ms. */
const QUIET_MS = 300;
const PAUSE_MS = 50;
const LONGEST_MS = 120_000;

/** Opens an address of the console, and waits until its rows and pictures are there. */
export async function visitPage(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await untilComplete(page);
}

/** @throws Error if the page still loads after the longest time for a step */
export async function untilComplete(page: Page): Promise<void> {
  for (let waited = 0, quiet = 0; quiet < QUIET_MS; waited += PAUSE_MS) {
    if (waited > LONGEST_MS) throw new Error(`${page.url()} is not complete.`);
    await delay(PAUSE_MS);
    quiet = (await page.evaluate<boolean>(IS_LOADING)) ? 0 : quiet + PAUSE_MS;
  }
}

// A text, because the types of tests are those of Node.
const IS_LOADING = `(() => {
  const isInView = (element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return top < innerHeight && bottom > 0;
  };
  return document.querySelector('[class*="_loading_"]') !== null
    || [...document.querySelectorAll('[data-state="waiting"]')].some(isInView)
    || [...document.images].some((image) => !image.complete && isInView(image));
})()`;

/** Returns by how many pixels the page is wider than its window. */
export async function sidewaysScroll(page: Page): Promise<number> {
  return page.evaluate('document.scrollingElement.scrollWidth - innerWidth');
}
