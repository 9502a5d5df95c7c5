import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { freshPhoto } from '../support/fixtures/draw-photo.ts';
import { ok } from '../support/services/ok.ts';
import { sharedService } from '../support/services/shared-service.ts';
import { createCurator, type Curator, signIn } from './support/curator.ts';
import { describeWithChromium } from './support/describe-with-chromium.ts';
import { eventually } from '../support/waits/eventually.ts';
import { expectAccessible, TestBrowser } from './support/open-browser.ts';
import { sidewaysScroll } from './support/visit-page.ts';

describeWithChromium('the jobs that a person has started', () => {
  let resources: AsyncDisposableStack;
  let browser: TestBrowser;
  let curator: Curator;
  let page: Page;
  /** The members of jobs that the page reads instead of the real ones. */
  let seen: object | null = null;

  beforeAll(async () => {
    resources = new AsyncDisposableStack();
    const service = resources.use(await sharedService('standalone'));
    browser = resources.use(await TestBrowser.open(service.url));
    curator = await createCurator(service);
    for (let photo = 0; photo < 3; photo++) {
      const file = await freshPhoto({ faces: [`Person-${photo}`] });
      ok(await curator.client.detectFaces({ body: { file } }));
    }
    page = await browser.openPage();
    await page.route(/\/api\/jobs\/\d+$/, async (route) => {
      const response = await route.fetch();
      if (seen === null || !response.ok()) return route.fulfill({ response });
      return route.fulfill({ json: { ...((await response.json()) as object), ...seen } });
    });
    await page.goto(`/console/${curator.environment}/images`);
    await signIn(page, curator);
    browser.expectNoFaults(/status of 401/);
  });
  afterAll(() => resources.disposeAsync());

  const count = async () => ok(await curator.client.countImages()).count;
  const running = () => page.getByRole('region', { name: 'Running jobs' });
  const said = (text: string) =>
    page.getByRole('status').getByText(text, { exact: true }).waitFor();
  const isRunning = { status: 'running', done: 1, failed: 0, total: 3, finished_at: null };
  const startDeletion = async () => {
    await eventually(count, 3);
    await page.goto(`/console/${curator.environment}/images`);
    await page.getByRole('gridcell').nth(2).waitFor();
    await page.getByRole('grid', { name: 'Images' }).focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  };
  const openPage = (name: string) =>
    page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name }).first().click();

  test('are followed to their end on other pages, and taken back there', async () => {
    seen = isRunning;
    await startDeletion();
    await running().getByText('1 of 3').waitFor();
    await openPage('People');
    await page.getByRole('heading', { level: 1, name: 'People' }).waitFor();
    await running().getByRole('link', { name: 'Deleting images' }).waitFor();
    await expectAccessible(page);
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await sidewaysScroll(page)).toBeLessThanOrEqual(0);
    await expectAccessible(page);
    await page.setViewportSize({ width: 1440, height: 900 });
    await eventually(count, 0);
    seen = null;
    await said('3 images deleted');
    await running().waitFor({ state: 'detached' });
    await page.keyboard.press('z');
    await said('Undone: 3 images deleted');
    await eventually(count, 3);
    browser.expectNoFaults();
  });

  test('of which something failed lead to their page, and wait until the person has seen it', async () => {
    seen = isRunning;
    await startDeletion();
    await running().waitFor();
    await openPage('Upload');
    await eventually(count, 0);
    seen = { ...isRunning, status: 'done', done: 2, failed: 1 };
    await said('2 images deleted. Failed: 1');
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Show the job' }).click();
    await page.getByRole('heading', { level: 1, name: /^Change of many images/ }).waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByText('2 images deleted. Failed: 1').waitFor({ state: 'detached' });
    seen = null;
    await page.keyboard.press('z');
    await eventually(count, 3);
    browser.expectNoFaults();
  });

  test('are stopped from every page', async () => {
    seen = isRunning;
    let stops = 0;
    await page.route('**/api/jobs/*/cancel', async (route) => {
      stops += 1;
      seen = { ...isRunning, status: 'failed', error: 'cancelled' };
      await route.fulfill({ json: seen });
    });
    await startDeletion();
    await openPage('People');
    await page.getByRole('button', { name: 'Stop: Deleting images' }).click();
    await said('Stopped: Deleting images');
    expect(stops).toBe(1);
    await eventually(count, 0);
    // The images that were deleted before come back.
    await page.keyboard.press('z');
    await eventually(count, 3);
    browser.expectNoFaults();
  });

  test('that were removed elsewhere are no longer followed', async () => {
    seen = isRunning;
    await startDeletion();
    await running().waitFor();
    await eventually(count, 0);
    const { items } = ok(await curator.client.listJobs({ query: { type: 'bulk_images' } }));
    ok(await curator.client.deleteJob({ path: { id: items[0]!.id } }));
    await said('No longer followed: Deleting images. It no longer exists.');
    expect(await running().count()).toBe(0);
    browser.expectNoFaults(/status of 404/);
  });
});
