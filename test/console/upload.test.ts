import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { drawPhoto } from '../support/fixtures/draw-photo.ts';
import { ok } from '../support/services/ok.ts';
import { sharedService, type SharedService } from '../support/services/shared-service.ts';
import { createCurator, type Curator, signIn } from './support/curator.ts';
import { describeWithChromium } from './support/describe-with-chromium.ts';
import { expectAccessible, TestBrowser } from './support/open-browser.ts';

describeWithChromium('the uploads of the console', () => {
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
    await page.goto(`/console/${curator.environment}/upload`);
    await signIn(page, curator);
    // The first page asks for a session before there is one.
    browser.expectNoFaults(/status of 401/);
  });
  afterAll(() => resources.disposeAsync());

  const input = () => page.locator('input[type=file]').first();
  const row = (name: string) => page.getByRole('listitem').filter({ hasText: name });
  const jpeg = async (name: string, faces: readonly string[]) => ({
    name,
    mimeType: 'image/jpeg',
    buffer: Buffer.from(await (await drawPhoto({ faces, comment: name })).arrayBuffer()),
  });
  const text = (name: string, content: string) => ({
    name,
    mimeType: 'image/jpeg',
    buffer: Buffer.from(content, 'latin1'),
  });

  test('photos are stored, and each file that is none says why', async () => {
    await page.getByText('Drop photos or folders here').waitFor();
    await expectAccessible(page);
    await input().setInputFiles([
      await jpeg('<b>ada</b>.jpg', ['Ada', 'Bo']),
      await jpeg('صورة 📷.jpg', ['Cy']),
      text('note.jpg', 'no picture at all'),
      text('empty.jpg', ''),
      text('cut.jpg', '\xff\xd8\xff\xe0'),
    ]);
    await row('<b>ada</b>.jpg').getByRole('link', { name: '2 faces' }).waitFor();
    await row('صورة 📷.jpg').getByRole('link', { name: '1 face' }).waitFor();
    await row('note.jpg').getByText('not a picture').waitFor();
    await row('empty.jpg').getByText('is empty').waitFor();
    await row('cut.jpg').locator('[title]').last().waitFor();
    await page.getByText('2 of 5 stored').waitFor();
    await page.getByText('3 failed').waitFor();
    await expectAccessible(page);
    expect(ok(await curator.client.countImages()).count).toBe(2);
    browser.expectNoFaults(/status of 4\d\d/);
  });

  test('a photo that is sent again is known', async () => {
    await page.getByRole('button', { name: 'Remove the stored ones' }).click();
    await input().setInputFiles([await jpeg('<b>ada</b>.jpg', ['Ada', 'Bo'])]);
    await row('<b>ada</b>.jpg').getByText('was stored already').waitFor();
    browser.expectNoFaults();
  });

  test('a busy service is asked again, and the photos go on by themselves', async () => {
    let refusals = 2;
    await page.route('**/api/detect/all', async (route) => {
      if (refusals-- <= 0) return route.fallback();
      return route.fulfill({
        status: 429,
        contentType: 'application/problem+json',
        headers: { 'Retry-After': '1' },
        body: JSON.stringify({
          type: 'about:blank',
          title: 'Too many requests',
          status: 429,
          detail: 'Too many requests.',
          code: 'rate_limited',
          request_id: 'test',
        }),
      });
    });
    await input().setInputFiles([await jpeg('later.jpg', ['Dee'])]);
    await row('later.jpg').getByRole('link', { name: '1 face' }).waitFor();
    await page.unroute('**/api/detect/all');
    browser.expectNoFaults(/status of 429/);
  });

  test('a person who leaves during an upload is asked first', async () => {
    await page.route('**/api/detect/all', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 3_000));
      return route.fallback();
    });
    await input().setInputFiles([await jpeg('leaving.jpg', ['Fay'])]);
    await page.getByRole('navigation').getByText('left').waitFor();
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    const dialog = page.getByRole('dialog', { name: 'Leave this environment?' });
    await dialog.getByText('Photos are still being uploaded').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Stay' }).click();
    await row('leaving.jpg').getByRole('link', { name: '1 face' }).waitFor();
    await page.getByRole('button', { name: 'Remove the stored ones' }).click();
    await page.unroute('**/api/detect/all');
    browser.expectNoFaults();
  });

  test('uploads go on while the person looks at other pages', async () => {
    await page.route('**/api/detect/all', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 300));
      return route.fallback();
    });
    const files = Array.from({ length: 8 }, (_, index) => jpeg(`walk-${index}.jpg`, ['Eve']));
    await input().setInputFiles(await Promise.all(files));
    await page.getByRole('navigation').getByRole('link', { name: 'People' }).click();
    await page.getByRole('heading', { name: 'People' }).waitFor();
    await page.getByRole('navigation').getByText('left').waitFor();
    await page.getByRole('navigation').getByText('left').waitFor({ state: 'detached' });
    await page.unroute('**/api/detect/all');
    expect(ok(await curator.client.countImages()).count).toBe(12);
    browser.expectNoFaults();
  });

  test('a file that is dropped on any page is uploaded', async () => {
    const photo = await jpeg('dropped.jpg', ['Fay']);
    // A text, because the types of this test are those of Node.
    const transfer = await page.evaluateHandle(`
      const created = new DataTransfer();
      const bytes = Uint8Array.from(${JSON.stringify([...photo.buffer])});
      created.items.add(new File([bytes], '${photo.name}', { type: 'image/jpeg' }));
      created;
    `);
    await page.dispatchEvent('main', 'drop', { dataTransfer: transfer });
    await row('dropped.jpg').getByRole('link', { name: '1 face' }).waitFor();
    browser.expectNoFaults();
  });

  test('an address is fetched by the service, which says why it cannot', async () => {
    await page.getByRole('button', { name: 'Addresses on the web' }).click();
    const field = page.getByRole('textbox', { name: 'Addresses of photos' });
    await field.fill('javascript:alert(1)\nhttps://photos.invalid/a.jpg');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('dialog').getByText('begin with http://').waitFor();
    expect(await field.inputValue()).toBe('javascript:alert(1)');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await row('https://photos.invalid/a.jpg')
      .getByText(/could not be|resolve|fetch/)
      .waitFor();
    await page.getByText('Failed ones only').click();
    await row('dropped.jpg').waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('?only=failed');
    await page.getByText('Failed ones only').click();
    browser.expectNoFaults(/status of 4\d\d/);
  });

  test('a photo is stored with the name of its file, and detected again in place of before', async () => {
    await page.getByRole('button', { name: 'Remove the stored ones' }).click();
    await page.getByText('Store file names').click();
    await page.getByText('Detect again in photos').click();
    const name = `${'x'.repeat(197)}.jpg`;
    await input().setInputFiles([await jpeg(name, ['Gus'])]);
    await row(name).getByRole('link', { name: '1 face' }).waitFor();
    const { items } = ok(await curator.client.listImages({ query: { limit: 1 } }));
    expect(items[0]!.external_ref).toBe(name);
    await page.getByText('Store file names').click();
    await page.getByText('Detect again in photos').click();
    browser.expectNoFaults();
  });

  test('many photos are jobs, in which each file fails for its own reason', async () => {
    const before = ok(await curator.client.countImages()).count;
    await page.getByRole('button', { name: 'Remove the stored ones' }).click();
    await page.getByRole('button', { name: 'Remove the failed ones' }).click();
    const files = Array.from({ length: 58 }, (_, index) => jpeg(`bulk-${index}.jpg`, ['Hal']));
    const singles: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/api/detect/all')) singles.push(request.url());
    });
    await input().setInputFiles([
      text('bulk-note.jpg', 'no picture at all'),
      text('bulk-cut.jpg', '\xff\xd8\xff\xe0'),
      ...(await Promise.all(files)),
    ]);
    await row('bulk-note.jpg').getByText('not a picture').waitFor();
    await page.getByText('58 of 60 stored').waitFor({ timeout: 60_000 });
    await page.getByText('Failed ones only').click();
    await row('bulk-cut.jpg').locator('[title]').last().waitFor();
    expect(await row('bulk-cut.jpg').innerText()).not.toContain('job');
    await page.getByText('Failed ones only').click();
    await row('bulk-0.jpg').getByRole('link', { name: '1 face' }).waitFor();
    expect(singles.length).toBeLessThanOrEqual(10);
    expect(ok(await curator.client.countImages()).count).toBe(before + 58);
    const { items } = ok(await curator.client.listJobs({ query: { type: 'bulk_detect' } }));
    expect(items).toMatchObject([{ total: 49, done: 48, failed: 1 }]);
    await expectAccessible(page);
    browser.expectNoFaults();
  });

  test('ten thousand files are a list of a few rows', async () => {
    await page.route('**/api/detect/bulk*', () => undefined);
    await page.evaluate(`
      const many = new DataTransfer();
      for (let index = 0; index < 10_000; index++) {
        many.items.add(new File(['\\xff\\xd8\\xff'], 'many-' + index + '.jpg'));
      }
      const field = document.querySelector('input[type=file]');
      field.files = many.files;
      field.dispatchEvent(new Event('change', { bubbles: true }));
    `);
    await page.getByText('of 10,').waitFor();
    expect(await page.getByRole('listitem').count()).toBeLessThan(60);
    await page.getByRole('list', { name: 'Photos' }).evaluate((list) => {
      list.scrollTop = list.scrollHeight;
    });
    await row('many-9999.jpg').waitFor();
    const asked = page.waitForEvent('dialog');
    await page.close({ runBeforeUnload: true });
    const dialog = await asked;
    expect(dialog.type()).toBe('beforeunload');
    await dialog.dismiss();
    browser.expectNoFaults();
  });
});
