import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { freshPhoto, drawPhoto } from '../support/fixtures/draw-photo.ts';
import { ok } from '../support/services/ok.ts';
import { sharedService, type SharedService } from '../support/services/shared-service.ts';
import { createCurator, type Curator, signIn } from './support/curator.ts';
import { describeWithChromium } from './support/describe-with-chromium.ts';
import { eventually } from './support/eventually.ts';
import { expectAccessible, TestBrowser } from './support/open-browser.ts';

/** Names whose scripts and signs a page could mistake for markup or break at. */
const HOSTILE = '<img src=x onerror=alert(1)>';
const MIXED = 'أحمد 👩‍🚀 O’Neil';

describeWithChromium('the review of the console', () => {
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
    page = await browser.openPage();
    await page.goto(`/console/${curator.environment}/review`);
    await signIn(page, curator);
    browser.expectNoFaults(/status of 401/);
  });
  afterAll(() => resources.disposeAsync());
  afterEach(() => page.unrouteAll({ behavior: 'ignoreErrors' }));

  const enroll = async (label: string, face: string) =>
    ok(
      await curator.client.enrollFace({
        body: { name: label, file: await drawPhoto({ faces: [face], comment: label }) },
      }),
    ).identity_id;
  /** Stores a photo, and returns the ids of its faces. */
  const store = async (...faces: string[]) => {
    const file = await freshPhoto({ faces });
    const { faces: found } = ok(await curator.client.detectFaces({ body: { file } }));
    return found.map(({ detection_id: id }) => id);
  };
  const statusOf = async (id: number) =>
    ok(await curator.client.getDetection({ path: { id } })).review_status;
  const open = async (path: string) => {
    await page.goto(`/console/${curator.environment}/${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
  };

  test('a queue without faces says what belongs there', async () => {
    await page.getByText('Nothing waits here').waitFor();
    await expectAccessible(page);
    browser.expectNoFaults();
  });

  test('faces are decided about by keyboard alone', async () => {
    const names = { ada: HOSTILE, bo: MIXED };
    await enroll(names.ada, 'Ada');
    await enroll(names.bo, 'Bo');
    const ids = [
      ...(await store('Ada 2', 'Bo 2')),
      ...(await store('Ada 3')),
      ...(await store('Bo 3')),
      ...(await store('Ada 4')),
    ];
    await open('review');
    await page.getByRole('list', { name: 'People who look alike' }).waitFor();
    await page.getByAltText('The photo around the face').waitFor();
    await expectAccessible(page);
    expect(await page.locator('img[src="x"]').count()).toBe(0);
    await page.keyboard.press('Space');
    await page.getByAltText('The whole photo').waitFor();
    for (const key of ['Enter', 'n', 'x']) await page.keyboard.press(key);
    await page.keyboard.press('/');
    await page.getByRole('combobox').fill('Someone with spaces');
    await page.getByRole('option', { name: 'Someone with spaces' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.keyboard.press('s');
    await page.getByText('1 face was put off').waitFor();
    await eventually(
      async () => (await Promise.all(ids.map(statusOf))).toSorted(),
      ['confirmed', 'confirmed', 'pending', 'pending', 'rejected'],
    );
    await page.getByRole('button', { name: 'Show what was put off' }).press('Enter');
    await page.getByRole('list', { name: 'People who look alike' }).waitFor();
    browser.expectNoFaults();
  });
});
