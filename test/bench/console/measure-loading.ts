import type { BrowserContextOptions } from 'playwright-core';
import type { WatchedBrowser } from '../../console/support/watched-browser.ts';
import { openBenchPage, slowDown } from './bench-page.ts';

/** The faces that a person sees first. */
export const FIRST_FACES = 40;
/** All of the first faces are in view at this size. */
const VIEWPORT = { width: 1440, height: 1400 };

/** The milliseconds from the start of a navigation until Chromium paints the first text of the sign-in. */
export async function timeSignIn(browser: WatchedBrowser): Promise<number> {
  await using opened = await openBenchPage(browser);
  await slowDown(opened);
  const { page } = opened;
  await page.goto('/console/sign-in');
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  return await page.evaluate<number>(
    `performance.getEntriesByName('first-contentful-paint')[0].startTime`,
  );
}

// Texts, because the types of this program are those of Node.
const WATCH_FACES = `
  const look = () => {
    const shown = [...document.querySelectorAll('main img')]
      .filter(({ complete, naturalWidth }) => complete && naturalWidth > 0).length;
    if (shown >= ${FIRST_FACES}) globalThis.facesAt = performance.now();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);`;

/** The milliseconds from the start of a navigation until the first faces of People are shown. */
export async function timeFirstFaces(
  browser: WatchedBrowser,
  { path, storageState }: { readonly path: string } & Pick<BrowserContextOptions, 'storageState'>,
): Promise<number> {
  await using opened = await openBenchPage(browser, { viewport: VIEWPORT, storageState });
  await slowDown(opened);
  const { page } = opened;
  await page.addInitScript(WATCH_FACES);
  await page.goto(path);
  await page.waitForFunction(() => 'facesAt' in globalThis, undefined, { timeout: 60_000 });
  return await page.evaluate<number>('globalThis.facesAt');
}
