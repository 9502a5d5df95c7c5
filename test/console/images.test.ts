import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { freshPhoto } from '../support/fixtures/draw-photo.ts';
import { ok } from '../support/services/ok.ts';
import { sharedService, type SharedService } from '../support/services/shared-service.ts';
import { answerMany } from './support/answer-many.ts';
import { createCurator, type Curator, signIn } from './support/curator.ts';
import { describeWithChromium } from './support/describe-with-chromium.ts';
import { emptyEnvironment } from './support/empty-environment.ts';
import { eventually } from '../support/waits/eventually.ts';
import { expectAccessible, TestBrowser } from './support/open-browser.ts';

const MANY = 1_000_000;

describeWithChromium('the images of the console', () => {
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
  });
  afterEach(async () => {
    await page.context().close();
    await emptyEnvironment(curator);
  });
  afterAll(() => resources.disposeAsync());

  async function upload(...references: readonly string[]): Promise<void> {
    for (const [index, reference] of references.entries()) {
      const file = await freshPhoto({ faces: [`Person-${index}`], objects: ['bus'] });
      ok(await curator.client.detectAll({ body: { file, external_ref: reference } }));
    }
  }

  async function open(query = ''): Promise<void> {
    page = await browser.openPage();
    await page.goto(`/console/${curator.environment}/images${query}`);
    await signIn(page, curator);
    await page.getByRole('heading', { name: 'Images' }).waitFor();
  }

  const grid = () => page.getByRole('grid', { name: 'Images' });
  const cell = (name: string) => page.getByRole('gridcell', { name });
  const selected = () => page.getByRole('gridcell', { selected: true });

  test('an empty environment leads to the upload', async () => {
    await open();
    await page.getByText('There are no images yet').waitFor();
    const link = page.getByRole('link', { name: 'Upload photos' });
    expect(await link.getAttribute('href')).toBe(`/console/${curator.environment}/upload`);
    await expectAccessible(page);
    browser.expectNoFaults(/status of 401/);
  });

  test('images are selected with keys, deleted, and brought back', async () => {
    await upload('one', '<script>alert(1)</script>', 'שלום 😀', 'four');
    await open();
    await cell('four').waitFor();
    await cell('<script>alert(1)</script>').waitFor();
    await expectAccessible(page);
    await grid().focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Shift+ArrowRight');
    await page.getByText('2 selected').waitFor();
    expect(await selected().count()).toBe(2);
    await expectAccessible(page);
    await page.keyboard.press('Delete');
    await page.getByRole('dialog', { name: 'Delete 2 images?' }).waitFor();
    await page.getByText('4 faces and objects in them are deleted, too').waitFor();
    await expectAccessible(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('2 images deleted').waitFor();
    await eventually(() => page.getByRole('gridcell').count(), 2);
    expect(ok(await curator.client.countImages()).count).toBe(2);
    await page.keyboard.press('z');
    await page.getByText('Undone: 2 images deleted').waitFor();
    // The buckets of a list may be ten seconds old, and are read again every three.
    await cell('four').waitFor({ timeout: 60_000 });
    await eventually(() => page.getByRole('gridcell').count(), 4);
    browser.expectNoFaults(/status of 401/);
  });

  test('all that match are deleted by a job, which says their exact number first', async () => {
    await upload('same', 'same', 'other');
    await open('?external_ref=same');
    await page.getByRole('button', { name: 'Remove filter: Reference: same' }).waitFor();
    await cell('same').first().waitFor();
    await grid().focus();
    await page.keyboard.press('Control+a');
    await page.getByText('All 2 that match are selected').waitFor();
    await page.keyboard.press('p');
    await page.getByText('Remove what was found before').click();
    await page.getByRole('alert').getByText('come back with Undo').waitFor();
    await expectAccessible(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog', { name: 'Delete 2 images?' }).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('2 images deleted').waitFor();
    await page.getByText('No image matches').waitFor();
    await expectAccessible(page);
    expect(ok(await curator.client.countImages()).count).toBe(1);
    await page.getByRole('button', { name: 'Remove all filters' }).click();
    await cell('other').waitFor();
    browser.expectNoFaults(/status of 401/);
  });

  test('a deleted image stays in no list, whichever page it was deleted on', async () => {
    await upload('one', 'two', 'three', 'four');
    await open();
    await cell('four').waitFor();
    const remove = async () => {
      await page.keyboard.press('Delete');
      const dialog = page.getByRole('dialog', { name: 'Delete 1 image?' });
      await dialog.getByRole('button', { name: 'Delete' }).click();
      await page.getByText('1 image deleted').waitFor();
    };
    await grid().focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Image four' }).waitFor();
    await remove();
    await cell('three').waitFor();
    await eventually(() => page.getByRole('gridcell').count(), 3);
    expect(await cell('four').count()).toBe(0);
    await grid().focus();
    await page.keyboard.press('Space');
    await remove();
    await eventually(() => page.getByRole('gridcell').count(), 2);
    await cell('one').dblclick();
    await page.getByRole('heading', { name: 'Image one' }).waitFor();
    await page.goBack();
    await cell('two').waitFor();
    expect(await cell('three').count()).toBe(0);
    expect(await page.getByRole('gridcell').count()).toBe(2);
    browser.expectNoFaults(/status of 401/);
  });

  test('filters are chosen in a panel, and stand in the address', async () => {
    await upload('one');
    await open();
    await cell('one').waitFor();
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByText('Without named faces').click();
    await page.getByLabel('Uploaded from').fill('2020-02-01');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Show images' }).click();
    await page.getByRole('button', { name: 'Remove filter: Without named faces' }).waitFor();
    await cell('one').waitFor();
    const { searchParams } = new URL(page.url());
    expect(searchParams.get('no_tagged_faces')).toBe('true');
    expect(searchParams.get('since')).toBe('2020-02-01');
    await page.goBack();
    await eventually(() => page.getByRole('button', { name: /^Remove filter/ }).count(), 0);
    browser.expectNoFaults(/status of 401/);
  });

  test('a million images are scrolled to their end with few cells and requests', async () => {
    page = await browser.openPage();
    const mostInFlight = await answerManyImages(page);
    await page.goto(`/console/${curator.environment}/images`);
    await signIn(page, curator);
    await cell('image 0,').waitFor();
    await grid().focus();
    await page.keyboard.press('Control+End');
    await cell(`image ${MANY - 1},`).waitFor();
    const rows = await grid().getAttribute('aria-rowcount');
    await page.locator(`[role=row][aria-rowindex="${rows}"]`).waitFor();
    expect(await page.getByRole('gridcell').count()).toBeLessThanOrEqual(300);
    await expectAccessible(page);
    await page.getByRole('navigation', { name: 'Jump to' }).getByRole('button').nth(1).click();
    await page.mouse.move(700, 400);
    for (let turn = 0; turn < 20; turn++) await page.mouse.wheel(0, 3000);
    await eventually(() => page.locator('[role=gridcell][aria-busy]').count(), 0);
    expect(await page.getByRole('gridcell').count()).toBeLessThanOrEqual(300);
    const most = await mostInFlight();
    expect(most.pages).toBeLessThanOrEqual(4);
    expect(most.pictures).toBeLessThanOrEqual(24);
    expect(most.pages).toBeGreaterThan(0);
    expect(most.pictures).toBeGreaterThan(0);
    browser.expectNoFaults(/status of 401/);
  });

  test('a page that cannot be read says so, and is read again', async () => {
    await upload('one');
    page = await browser.openPage();
    let isDown = true;
    await page.route('**/api/images?*', (route) =>
      isDown
        ? route.fulfill({
            status: 500,
            contentType: 'application/problem+json',
            body: JSON.stringify({ code: 'internal', detail: 'It failed.', request_id: 'r1' }),
          })
        : route.continue(),
    );
    await page.goto(`/console/${curator.environment}/images`);
    await signIn(page, curator);
    await page.getByText('It failed.').waitFor();
    await expectAccessible(page);
    isDown = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await cell('one').waitFor();
    browser.expectNoFaults(/status of 401/, /status of 500/);
  });
});

/** Answers as an environment with a million images would. */
async function answerManyImages(page: Page) {
  const timeOf = (index: number) => new Date(Date.UTC(2026, 0, 1) - index * 300_000).toISOString();
  await page.route('**/api/images/count*', (route) => route.fulfill({ json: { count: MANY } }));
  return answerMany(page, {
    total: MANY,
    list: '/api/images',
    pictures: '/media/sources',
    value: timeOf,
    row: (index) => ({
      id: index + 1,
      external_ref: `image ${index}`,
      file_path: 'file.jpg',
      width: 400,
      height: 300,
      uploaded_at: timeOf(index),
      taken_at: null,
      detection_count: 0,
      source_image_url: `/media/sources/${index + 1}/none.jpg`,
    }),
  });
}
