import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { freshPhoto } from '../support/fixtures/draw-photo.ts';
import { ok, okWith } from '../support/services/ok.ts';
import { sharedService, type SharedService } from '../support/services/shared-service.ts';
import { signedIn } from '../support/services/signed-in.ts';
import { createCurator, type Curator, signIn } from './support/curator.ts';
import { describeWithChromium } from './support/describe-with-chromium.ts';
import { eventually } from '../support/waits/eventually.ts';
import { expectAccessible, TestBrowser } from './support/open-browser.ts';

/** A file name that shows whether names are taken for markup, and that mixes directions. */
const HOSTILE = '<img src=x onerror=alert(1)> أحمد.jpg';
const NAME = 'Detection in many images';

describeWithChromium('the jobs of the console', () => {
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
    await page.goto(`/console/${curator.environment}/jobs`);
    await signIn(page, curator);
    // The first page asks for a session before there is one.
    browser.expectNoFaults(/status of 401/);
  });
  afterAll(() => resources.disposeAsync());

  const open = async (path: string) => {
    await page.goto(`/console/${curator.environment}/${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
  };
  const start = async (count: number, ...others: File[]) => {
    const photos = Array.from({ length: count }, () => freshPhoto({ faces: ['Ada'] }));
    const file = [...(await Promise.all(photos)), ...others];
    const query = { async: true };
    const answer = await curator.client.detectBulk({ query, body: { file } });
    return okWith(202, answer).job_id;
  };
  const statusOf = async (id: number) => ok(await curator.client.getJob({ path: { id } })).status;
  const ended = () => page.getByRole('group', { name: 'Ended' });

  test('an environment without jobs says what belongs here', async () => {
    await page.getByText('There are no jobs yet').waitFor();
    await expectAccessible(page);
    browser.expectNoFaults();
  });

  test('a job appears by itself, and its sum is shown as it is with the reasons of its items', async () => {
    const text = new File(['no picture'], HOSTILE, { type: 'image/jpeg' });
    const id = await start(3, text);
    const row = ended().getByRole('row', { name: `${NAME} ${id}` });
    await row.getByText('3 done + 1 failed = 4 images').waitFor();
    await expectAccessible(page);
    await row.getByRole('link').click();
    await page.getByRole('heading', { name: `${NAME} ${id}`, level: 1 }).waitFor();
    await page.getByText('done: 3 done + 1 failed = 4 images').waitFor();
    const items = page.getByRole('group', { name: 'Items' });
    const failed = items.getByRole('row').filter({ hasText: HOSTILE });
    await failed.getByRole('cell', { name: 'failed' }).waitFor();
    expect(await failed.locator('code').innerText()).not.toBe('');
    expect(await page.locator('img[src="x"]').count()).toBe(0);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'State' }).click();
    await page.getByRole('option', { name: 'done' }).click();
    await failed.waitFor({ state: 'detached' });
    await eventually(() => items.getByRole('row').count(), 4);
    expect(new URL(page.url()).search).toBe('?items=done');
    await items.getByRole('link').first().click();
    await page.waitForURL('**/images/*');
    browser.expectNoFaults();
  });

  test('the results are saved, failed items are retried in a new job, and the old one is removed', async () => {
    const id = await start(1, new File(['no picture'], 'text.jpg', { type: 'image/jpeg' }));
    await eventually(() => statusOf(id), 'done');
    await open(`jobs/${id}`);
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save results' }).click();
    expect((await saved).suggestedFilename()).toBe(`sightline-bulk_detect-${id}.json`);
    await page.getByRole('button', { name: 'Retry failed' }).click();
    await page.getByRole('status').getByText('1 item is retried in').waitFor();
    await page.waitForURL((url) => !url.pathname.endsWith(`/${id}`));
    await page.getByText('done: 0 done + 1 failed = 1 image').waitFor();
    await open(`jobs/${id}`);
    await page.getByRole('button', { name: 'Remove' }).click();
    const dialog = page.getByRole('dialog', { name: `Remove ${NAME} ${id}?` });
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('heading', { name: 'Jobs', level: 1 }).waitFor();
    await page.getByRole('status').getByText('Removed').waitFor();
    await open(`jobs/${id}`);
    await page.getByText('The job no longer exists').waitFor();
    await expectAccessible(page);
    browser.expectNoFaults(/status of 404/);
  });

  test('jobs of an environment that is not the usual one of the account have their results too', async () => {
    const { client } = await signedIn(service, curator);
    const { id: environment } = ok(await client.createEnvironment({ body: { name: 'Other' } }));
    const { key } = ok(
      await client.createKey({
        body: { label: 'test', type: 'full', environment_id: environment },
      }),
    );
    const file = [await freshPhoto({ faces: ['Ada'] })];
    const query = { async: true };
    const answer = await service.clientWith(key).detectBulk({ query, body: { file } });
    const id = okWith(202, answer).job_id;
    await page.goto(`/console/${environment}/jobs/${id}`);
    await page.getByText('done: 1 done + 0 failed = 1 image').waitFor();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save results' }).click();
    expect((await saved).suggestedFilename()).toBe(`sightline-bulk_detect-${id}.json`);
    await page.goto(`/console/${curator.environment}/jobs/${id}`);
    await page.getByText('The job no longer exists').waitFor();
    browser.expectNoFaults(/status of 404/);
  });

  test('a running job shows how far it is, and is cancelled', async () => {
    const id = await start(190);
    await open('jobs');
    const card = page.getByRole('listitem').filter({ hasText: `${NAME} ${id}` });
    const bar = card.getByRole('progressbar');
    await bar.waitFor();
    expect(await bar.getAttribute('aria-valuetext')).toMatch(/^\d+ of 190 images$/);
    await expectAccessible(page);
    await card.getByRole('button', { name: `Cancel: ${NAME} ${id}` }).click();
    await page.getByRole('status').getByText('Cancelled').waitFor();
    const row = ended().getByRole('row', { name: `${NAME} ${id}` });
    await row.getByText('cancelled').waitFor();
    await row.getByText(/\d+ done \+ \d+ failed = 190 images/).waitFor();
    browser.expectNoFaults();
  });

  test('filters are in the address, and removable where nothing fits', async () => {
    await open('jobs?status=failed&type=nonsense');
    await ended().getByRole('row').nth(1).waitFor();
    await eventually(() => ended().getByRole('row').count(), 2);
    await page.getByRole('button', { name: 'Kind' }).click();
    await page.getByRole('option', { name: 'Export' }).click();
    await page.getByText('No job matches').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Remove filter: Export' }).click();
    await ended().getByRole('row').nth(1).waitFor();
    await page.getByRole('button', { name: 'Remove filter: failed' }).click();
    await ended().getByRole('row').nth(2).waitFor();
    browser.expectNoFaults();
  });

  test('a refused action says why', async () => {
    await open('jobs?status=failed');
    await page.route('**/retry', (route) =>
      route.fulfill({
        status: 409,
        contentType: 'application/problem+json',
        json: {
          type: 'about:blank',
          title: 'Too many jobs',
          status: 409,
          code: 'too_many_jobs',
          detail: 'The environment has 100 unfinished jobs.',
          request_id: 'request-1',
        },
      }),
    );
    await page.getByRole('button', { name: /^Retry failed/ }).click();
    await page.getByRole('alert').getByText('The environment has 100 unfinished jobs.').waitFor();
    await expectAccessible(page);
    await page.unroute('**/retry');
    browser.expectNoFaults(/status of 409/);
  });

  test('the page reads in German, and fits a narrow window', async () => {
    const other = await browser.openPage({
      locale: 'de-DE',
      viewport: { width: 320, height: 640 },
    });
    await other.goto(`/console/${curator.environment}/jobs`);
    await other.getByLabel('E-Mail-Adresse').fill(curator.email);
    await other.getByLabel('Passwort').fill(curator.password);
    await other.getByLabel('Passwort').press('Enter');
    await other.getByRole('heading', { name: 'Aufträge', level: 1 }).waitFor();
    await other.getByText('3 fertig + 1 fehlgeschlagen = 4 Bilder').waitFor();
    await expectAccessible(other);
    const html = other.locator('html');
    expect(await html.evaluate((root) => root.scrollWidth - root.clientWidth)).toBe(0);
    await other.context().close();
    browser.expectNoFaults(/status of 401/);
  });
});
