import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page, Route } from 'playwright-core';
import { thirdOf } from '../support/gates/soak.ts';
import { sharedService } from '../support/services/shared-service.ts';
import { consoleAddresses } from './support/console-addresses.ts';
import { createCurator, type Curator } from './support/curator.ts';
import { describeWithChromium } from './support/describe-with-chromium.ts';
import { TestBrowser, violationsInBothLooks } from './support/open-browser.ts';
import { openSignedIn } from './support/open-signed-in.ts';
import { answerProblem, OVERLOADED, REQUEST_ID } from './support/problem-answer.ts';
import { seedSubjects } from './support/seed-subjects.ts';
import { untilComplete, visitPage } from './support/visit-page.ts';

/** The reads of the frame, without which there is no page whose state could be shown. */
const OF_FRAME = ['/api/auth/session', '/api/account/me', '/api/account/environments'];
/** Pages that show a form or the reads of the frame at once, whatever else the service answers. */
const WITHOUT_READS = new Set([
  '/environments',
  '/upload',
  '/try',
  '/try?tab=identify',
  '/try?tab=verify',
]);
/** The text of the state of loading appears after a while, and has no contrast before. */
const APPEARED =
  'Promise.allSettled(document.getAnimations().map(({ finished }) => finished)).then(() => null)';
const MOST_RETRIES = 5;
const PAUSE_MS = 150;
/** Searches that match nothing, by the addresses of their pages. */
const MATCHING_NOTHING: Readonly<Record<string, string>> = {
  '/people': '?q=no%20such%20person',
  '/images': '?from=2001-01-01&to=2001-01-02',
  '/objects': '?q=no%20such%20class',
  '/jobs': '?status=failed',
  '/settings': '?q=no%20such%20setting',
  '/audit': '?entity_id=987654321',
};

describeWithChromium('the states of all pages', () => {
  let resources: AsyncDisposableStack;
  let browser: TestBrowser;
  let curator: Curator;
  let page: Page;
  let faults: Record<string, unknown>;

  beforeAll(async () => {
    resources = new AsyncDisposableStack();
    const service = resources.use(await sharedService('standalone'));
    browser = resources.use(await TestBrowser.open(service.url));
    curator = await createCurator(service, '--admin');
    page = await openSignedIn(browser, curator);
    faults = {};
  });
  afterAll(() => resources.disposeAsync());

  const scan = async (state: string) => {
    await page.evaluate(APPEARED);
    const found = await violationsInBothLooks(page);
    if (found.length > 0) faults[state] = found;
  };

  test('an empty environment, and filters that match nothing', async () => {
    for (const address of thirdOf(await consoleAddresses({}), 0)) {
      const search = MATCHING_NOTHING[address];
      for (const each of [address, ...(search === undefined ? [] : [address + search])]) {
        await visitPage(page, `/console/${curator.environment}${each}`);
        await scan(`empty ${each}`);
      }
    }
    expect(faults).toEqual({});
    browser.expectNoFaults();
  });

  test('loading, failed with the sentence of the service, and filled after a retry', async () => {
    for (const address of thirdOf(await consoleAddresses(await seedSubjects(curator)), 1)) {
      // The tabs of a person wait for the same read.
      if (/^.people.*tab=/.test(address)) continue;
      const held: Route[] = [];
      let answer = (route: Route) => void held.push(route);
      await page.route('**/api/**', (route) => {
        const { pathname } = new URL(route.request().url());
        if (OF_FRAME.includes(pathname)) return route.continue();
        answer(route);
        return undefined;
      });
      await page.goto(`/console/${curator.environment}${address}`);
      await page.getByRole('heading', { level: 1 }).or(loading()).first().waitFor();
      await scan(`loading ${address}`);
      answer = (route) => void answerProblem(route, OVERLOADED).catch(() => undefined);
      for (const route of held) answer(route);
      if (!WITHOUT_READS.has(address)) {
        const problem = await saysProblem();
        if (!problem) faults[`sentence ${address}`] = await page.locator('main').innerText();
      }
      await scan(`failed ${address}`);
      await page.unroute('**/api/**');
      await retryAll();
      await untilComplete(page);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      if (await page.getByText(OVERLOADED.detail).count()) faults[`retry ${address}`] = true;
      await scan(`filled ${address}`);
    }
    expect(faults).toEqual({});
    browser.expectNoFaults(/status of 503/);
  });

  const loading = () => page.locator('[class*="_loading_"]');
  const saysProblem = async () => {
    const alert = page.getByRole('alert').filter({ hasText: OVERLOADED.detail }).first();
    await alert.waitFor().catch(() => undefined);
    return (await alert.count()) > 0 && (await alert.innerText()).includes(REQUEST_ID);
  };
  /** A page may read several things, each of which failed. */
  const retryAll = async () => {
    const retry = page.getByRole('button', { name: 'Try again' }).first();
    for (let presses = 0; (await retry.count()) > 0 && presses < MOST_RETRIES; presses++) {
      // The pages also retry by themselves, after which the button is no longer there.
      await retry.click({ timeout: PAUSE_MS * 10 }).catch(() => undefined);
      await page.waitForTimeout(PAUSE_MS);
    }
  };
});
