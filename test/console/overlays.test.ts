import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { thirdOf } from '../support/gates/soak.ts';
import { sharedService } from '../support/services/shared-service.ts';
import { createAdministrator } from './support/administrator.ts';
import { createCurator, type Curator } from './support/curator.ts';
import { describeWithChromium } from './support/describe-with-chromium.ts';
import { TestBrowser, violationsInBothLooks } from './support/open-browser.ts';
import { openSignedIn } from './support/open-signed-in.ts';
import { answerProblem, ENDED } from './support/problem-answer.ts';
import { seedSubjects } from './support/seed-subjects.ts';
import { visitPage } from './support/visit-page.ts';

/** The buttons that lead to an overlay, by the address of their page. A function gets there in another way. */
type Way = string | RegExp | ((page: Page) => Promise<unknown>);

const selectFirst = (page: Page) =>
  page
    .getByRole('gridcell')
    .first()
    .click({ modifiers: ['Shift'] });
const endSession = async (page: Page) => {
  await page.route('**/api/stats*', (route) => answerProblem(route, ENDED), { times: 1 });
  await page.getByRole('link', { name: 'Overview' }).click();
  await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
};
const press = (key: string) => (page: Page) => page.locator('body').press(key);

describeWithChromium('dialogs, menus and lists over the pages', () => {
  let resources: AsyncDisposableStack;
  let browser: TestBrowser;
  let curator: Curator;
  let page: Page;
  let overlays: readonly (readonly [address: string, ...ways: readonly Way[]])[];

  beforeAll(async () => {
    resources = new AsyncDisposableStack();
    const service = resources.use(await sharedService('standalone'));
    browser = resources.use(await TestBrowser.open(service.url));
    curator = await createCurator(service, '--admin');
    await createAdministrator(service);
    const { person, image, job, webhook } = await seedSubjects(curator);
    overlays = [
      ['/overview', 'Account'],
      ['/overview', 'API'],
      ['/overview', press('?')],
      ['/overview', press('Control+k')],
      ['/overview', (page) => page.getByRole('button', { name: /Library/ }).click()],
      ['/images', 'Filter'],
      ['/images', /Newest first/],
      ['/images', selectFirst],
      ['/images', selectFirst, /^Delete/],
      ['/images', selectFirst, /^Reprocess/],
      [`/images/${image}`, /^Delete image/],
      [`/images/${image}`, /^Reprocess/],
      [`/images/${image}`, /^Draw a box/],
      ['/people', /^Person/],
      ['/people', selectFirst],
      ['/people', selectFirst, /^Rename/],
      ['/people', selectFirst, /^Delete/],
      [`/people/${person}`, 'Rename'],
      [`/people/${person}`, 'Merge into…'],
      [`/people/${person}`, 'Delete'],
      ['/review?tab=open', /^Another person/],
      ['/unknown?tab=faces', selectFirst],
      ['/objects', 'Change: Vocabulary'],
      ['/objects', 'Change: Class filter'],
      ['/jobs', /^Remove: /],
      [`/jobs/${job}`, /^Remove/],
      [`/webhooks/${webhook}`, 'Change'],
      [`/webhooks/${webhook}`, 'New secret'],
      [`/webhooks/${webhook}`, 'New secret', 'Generate a secret'],
      ['/audit', /Any kind/],
      ['/audit', endSession],
      ['/try', 'Camera'],
      ['/users', /^New password: administrator/],
      ['/users', /^Disable: /],
      ['/account', 'Revoke the key test'],
      ['/account', /Language/],
      ['/environments', 'Members: Library'],
      ['/environments', 'Members: Library', /Role of/],
    ];
    page = await openSignedIn(browser, curator);
  });
  afterAll(() => resources.disposeAsync());

  test('axe also measures the targets', async () => {
    await visitPage(page, `/console/${curator.environment}/overview`);
    await page.evaluate(`for (const name of ['one', 'other']) {
      const button = document.createElement('button');
      button.ariaLabel = name;
      Object.assign(button.style, { width: '9px', height: '9px', padding: 0 });
      document.querySelector('main').append(button);
    }`);
    const found = await violationsInBothLooks(page);
    expect(found).toMatchObject([{ id: 'target-size' }]);
    browser.takeFaults();
  });

  test('each is accessible in both looks', async () => {
    const faults: Record<string, unknown> = {};
    for (const [address, ...ways] of thirdOf(overlays, 0)) {
      const name = `${address} ${ways.map((way) => (typeof way === 'function' ? 'a step' : way)).join(', ')}`;
      try {
        await visitPage(page, `/console/${curator.environment}${address}`);
        for (const way of ways) await follow(way);
        await page.waitForTimeout(100);
        const found = await violationsInBothLooks(page);
        if (found.length > 0) faults[name] = found;
      } catch (error) {
        faults[name] = String(error).slice(0, 300);
      }
    }
    expect(faults).toEqual({});
    browser.expectNoFaults(/status of 40[14]/);
  });

  const follow = async (way: Way) => {
    if (typeof way === 'function') return way(page);
    const dialog = page.getByRole('dialog');
    const within = (await dialog.count()) > 0 ? dialog : page;
    const exact = typeof way === 'string';
    return within.getByRole('button', { name: way, exact }).first().click();
  };
});
