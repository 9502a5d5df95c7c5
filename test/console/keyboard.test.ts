import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { drawPhoto } from '../support/fixtures/draw-photo.ts';
import { ok } from '../support/services/ok.ts';
import { sharedService, type SharedService } from '../support/services/shared-service.ts';
import { createCurator, type Curator } from './support/curator.ts';
import { describeWithChromium } from './support/describe-with-chromium.ts';
import { eventually } from '../support/waits/eventually.ts';
import { TestBrowser } from './support/open-browser.ts';

describeWithChromium('a library by keyboard alone', () => {
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
  });
  afterAll(() => resources.disposeAsync());

  const photo = async (...faces: string[]) => ({
    name: `${faces.join(' and ')}.jpg`,
    mimeType: 'image/jpeg',
    buffer: Buffer.from(await (await drawPhoto({ faces, comment: faces.join() })).arrayBuffer()),
  });
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const heading = (name: string) => page.getByRole('heading', { name, level: 1 }).waitFor();
  /** Presses Tab until the element with this name has the focus. */
  const tabTo = async (name: string) => {
    for (let presses = 0; presses < 60; presses++) {
      await page.keyboard.press('Tab');
      const focused = page.locator(':focus');
      if ((await focused.count()) === 0) continue;
      const text = (await focused.getAttribute('aria-label')) ?? (await focused.innerText());
      if (text.startsWith(name)) return;
    }
    throw new Error(`No ${name} was reached.`);
  };
  const upload = async (...photos: Awaited<ReturnType<typeof photo>>[]) => {
    await press('g', 'a');
    await heading('Upload');
    await tabTo('Choose photos');
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), press('Enter')]);
    await chooser.setFiles(photos);
  };
  const peopleNamed = async () =>
    ok(await curator.client.listIdentitySummaries({ query: { type: 'face' } }))
      .items.map(({ label, detection_count: faces }) => `${label} ${faces}`)
      .toSorted();

  test('a person signs in, uploads photos, names strangers, reviews, and takes back a mistake', async () => {
    await page.goto('/');
    await page.getByLabel('E-mail address').waitFor();
    // The first field has the focus.
    await page.keyboard.type(curator.email);
    await press('Tab');
    await page.keyboard.type(curator.password);
    await press('Enter');
    await heading('Overview');

    await upload(await photo('Ada'), await photo('Ada 2'), await photo('Bo', 'Cy'));
    await page.getByText('3 of 3 stored').waitFor();

    await press('g', 'u');
    await page.getByRole('region', { name: 'Group 1' }).getByText('2 faces').waitFor();
    await press('Enter');
    await page.getByRole('dialog', { name: 'Who are these 2 faces?' }).waitFor();
    await page.keyboard.type('Ada');
    await page.getByRole('option', { name: 'Ada' }).waitFor();
    await press('Enter');
    await page.getByRole('status').getByText('2 faces named Ada').waitFor();
    expect(await peopleNamed()).toEqual(['Ada 2']);

    // An application sends another photo in the meantime.
    const file = await drawPhoto({ faces: ['Ada 3'], comment: 'another' });
    ok(await curator.client.detectFaces({ body: { file } }));
    await press('g', 'r');
    await page.getByRole('heading', { name: 'Is this Ada?' }).waitFor();
    await press('n');
    await page.getByText('Nothing waits here').waitFor();
    await press('z');
    await page.getByRole('heading', { name: 'Is this Ada?' }).waitFor();
    await press('Enter');
    await eventually(peopleNamed, ['Ada 3']);

    await press('g', 'p');
    await page.getByRole('gridcell', { name: 'Ada' }).waitFor();
    const focusedGrid = page.locator('[role=grid]:focus, [role=grid] :focus');
    for (let presses = 0; (await focusedGrid.count()) === 0 && presses < 60; presses++) {
      await press('Tab');
    }
    await press('Enter');
    await heading('Ada');
    browser.expectNoFaults(/status of 401/);
  });
});
