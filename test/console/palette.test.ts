import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { drawPhoto } from '../support/fixtures/draw-photo.ts';
import { ok } from '../support/services/ok.ts';
import { sharedService, type SharedService } from '../support/services/shared-service.ts';
import { createCurator, type Curator, signIn } from './support/curator.ts';
import { describeWithChromium } from './support/describe-with-chromium.ts';
import { expectAccessible, TestBrowser } from './support/open-browser.ts';

const HOSTILE = '<img src=x onerror=alert(1)> שלום';

describeWithChromium('the search of the console', () => {
  let resources: AsyncDisposableStack;
  let service: SharedService;
  let browser: TestBrowser;
  let curator: Curator;
  let page: Page;

  beforeAll(async () => {
    resources = new AsyncDisposableStack();
    service = resources.use(await sharedService('standalone'));
    browser = resources.use(await TestBrowser.open(service.url));
    curator = await createCurator(service);
    for (const name of ['Ada', HOSTILE]) {
      const file = await drawPhoto({ faces: [name], comment: 'reference' });
      ok(await curator.client.enrollFace({ body: { name, file } }));
    }
    page = await browser.openPage();
    await page.goto(`/console/${curator.environment}/images`);
    await signIn(page, curator);
    browser.expectNoFaults(/status of 401/);
  });
  afterAll(() => resources.disposeAsync());

  const field = () => page.getByRole('dialog', { name: 'Search' }).getByRole('textbox');

  /** People arrive after the functions of the page, so their place among the results is not known. */
  const goTo = async (name: string) => {
    const focused = page.locator('[role=menuitem][data-focused]');
    for (let presses = 0; presses < 20; presses++) {
      if ((await focused.count()) > 0 && (await focused.innerText()).startsWith(name)) return;
      await page.keyboard.press('ArrowDown');
    }
    throw new Error(`${name} was not reached.`);
  };

  test('people and pages are found and opened by keyboard alone', async () => {
    await page.keyboard.press('Control+k');
    await field().waitFor();
    await expectAccessible(page);
    await page.keyboard.type('ad');
    await page.getByRole('menuitem', { name: 'Ada' }).waitFor();
    await page.getByRole('menuitem', { name: 'Go to: Upload' }).waitFor();
    await expectAccessible(page);
    await goTo('Ada');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Ada' }).waitFor();
    await page.keyboard.press('Control+k');
    await field().fill('img');
    await page.getByRole('menuitem', { name: HOSTILE }).waitFor();
    expect(await page.locator('img[src="x"]').count()).toBe(0);
    await field().fill('upl');
    await page.getByRole('menuitem', { name: HOSTILE }).waitFor({ state: 'detached' });
    await page.getByRole('menuitem', { name: 'Go to: Upload' }).waitFor();
    await goTo('Go to: Upload');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Upload' }).waitFor();
    browser.expectNoFaults();
  });

  test('a search that finds nothing says so, and is closed with Escape', async () => {
    await page.getByRole('button', { name: 'Search' }).click();
    await field().fill('zzzz');
    await page.getByText('Nothing matches').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await field().waitFor({ state: 'detached' });
    browser.expectNoFaults();
  });
});
