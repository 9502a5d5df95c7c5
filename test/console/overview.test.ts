import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { freshPhoto } from '../support/fixtures/draw-photo.ts';
import { ok, okWith } from '../support/services/ok.ts';
import { sharedService, type SharedService } from '../support/services/shared-service.ts';
import { createCurator, type Curator, signIn } from './support/curator.ts';
import { describeWithChromium } from './support/describe-with-chromium.ts';
import { expectAccessible, TestBrowser } from './support/open-browser.ts';

describeWithChromium('the overview of the console', () => {
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
    await page.goto(`/console/${curator.environment}`);
    await signIn(page, curator);
    // The first page asks for a session before there is one.
    browser.expectNoFaults(/status of 401/);
  });
  afterAll(() => resources.disposeAsync());

  const section = (name: string) => page.getByRole('region', { name });
  const step = (name: string) =>
    section('First steps').getByRole('listitem').filter({ hasText: name });
  const needs = () => section('Needs your attention').getByRole('link');
  const store = async (faces: readonly string[]) =>
    ok(await curator.client.detectFaces({ body: { file: await freshPhoto({ faces }) } })).faces;

  test('an environment without a page leads to the overview, whose steps tick themselves', async () => {
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/console/${curator.environment}/overview`);
    await step('Get the models ready').getByText('done').waitFor();
    await step('Add the first photos').getByText('to do').waitFor();
    await section('Needs your attention').getByText('Nothing is waiting').waitFor();
    await expectAccessible(page);
    const [face] = await store(['Ada']);
    await step('Add the first photos').getByText('done').waitFor();
    await step('Name the first person').getByText('to do').waitFor();
    const item = { detection_id: face!.detection_id, label: '<b>Ada</b> أ' };
    ok(await curator.client.labelDetections({ body: { items: [item] } }));
    await section('First steps').waitFor({ state: 'detached' });
    browser.expectNoFaults();
  });

  test('everything that waits leads to its page', async () => {
    // Another look of a known person waits for review, and two of a stranger are a group.
    for (const look of ['Ada 2', 'Bo', 'Bo 2']) await store([look]);
    const files = await Promise.all(
      Array.from({ length: 20 }, () => freshPhoto({ faces: ['Cy'] })),
    );
    const query = { async: true };
    const { job_id: id } = okWith(
      202,
      await curator.client.detectBulk({ query, body: { file: files } }),
    );
    await curator.client.cancelJob({ path: { id } });
    await page.reload();
    for (const [name, path] of [
      [/\d faces wait for review/, 'review'],
      [/\d groups? of strangers/, 'unknown'],
      [/1 failed job/, 'jobs?status=failed'],
    ] as const) {
      const link = needs().filter({ hasText: name });
      await link.waitFor();
      expect(await link.getAttribute('href')).toBe(`/console/${curator.environment}/${path}`);
    }
    await expectAccessible(page);
    browser.expectNoFaults();
  });

  test('the numbers of a chart are a table for the keyboard, which the address keeps', async () => {
    const toggle = page.getByRole('switch', { name: 'Confirmed as a table' });
    await page.getByRole('img', { name: /^Confirmed: 1 in 90 days/ }).waitFor();
    await toggle.focus();
    await page.keyboard.press('Space');
    const table = page.getByRole('group', { name: 'Confirmed' });
    expect(await table.getByRole('columnheader').allInnerTexts()).toEqual([
      'Day (UTC)',
      'by matching',
      'by people',
    ]);
    expect(await table.getByRole('row').count()).toBe(91);
    expect(await table.getByRole('row').nth(1).getByRole('cell').allInnerTexts()).toEqual([
      '0',
      '1',
    ]);
    await expectAccessible(page);
    await page.reload();
    await table.waitFor();
    browser.expectNoFaults();
  });

  test('numbers that cannot be read say why, and are read again', async () => {
    await page.route('**/api/stats', (route) =>
      route.fulfill({
        status: 403,
        contentType: 'application/problem+json',
        json: {
          type: 'about:blank',
          title: 'Forbidden',
          status: 403,
          code: 'forbidden',
          detail: 'x',
          request_id: 'request-1',
        },
      }),
    );
    await page.goto(`/console/${curator.environment}/overview?tables=%5B%22x%22%5D`);
    await page.getByRole('alert').getByText('Your role in this environment').waitFor();
    await page.getByText('request-1').waitFor();
    await expectAccessible(page);
    await page.unroute('**/api/stats');
    await page.getByRole('button', { name: 'Try again' }).click();
    await section('Storage').getByText('of images and crops').waitFor();
    browser.expectNoFaults(/status of 403/);
  });

  test('a service that cannot count groups names the reason, and the other links stay', async () => {
    await page.route('**/api/clusters/count', (route) =>
      route.fulfill({
        status: 503,
        contentType: 'application/problem+json',
        json: {
          type: 'about:blank',
          title: 'Unavailable',
          status: 503,
          code: 'vectors_unavailable',
          detail: 'Matching is unavailable for now.',
          request_id: 'request-2',
        },
      }),
    );
    await page.reload();
    await needs().filter({ hasText: 'wait for review' }).waitFor();
    await page.getByRole('alert').getByText('Matching is unavailable for now.').waitFor();
    await page.unroute('**/api/clusters/count');
    await page.getByRole('button', { name: 'Try again' }).click();
    await needs().filter({ hasText: 'of strangers' }).waitFor();
    browser.expectNoFaults(/status of 503/);
  });

  test('the page reads in German, and fits a narrow window', async () => {
    const other = await browser.openPage({
      locale: 'de-DE',
      viewport: { width: 320, height: 640 },
    });
    await other.goto(`/console/${curator.environment}`);
    await other.getByLabel('E-Mail-Adresse').fill(curator.email);
    await other.getByLabel('Passwort').fill(curator.password);
    await other.getByLabel('Passwort').press('Enter');
    await other.getByRole('heading', { name: 'Übersicht', level: 1 }).waitFor();
    await other.getByRole('link', { name: /Gesichter warten auf Prüfung/ }).waitFor();
    await other.getByRole('img', { name: /Bestätigt: 1/ }).waitFor();
    await expectAccessible(other);
    const html = other.locator('html');
    expect(await html.evaluate((root) => root.scrollWidth - root.clientWidth)).toBe(0);
    await other.context().close();
    browser.expectNoFaults(/status of 401/);
  });

  test('G and H lead to the page from any other', async () => {
    await page.goto(`/console/${curator.environment}/images`);
    await page.getByRole('heading', { name: 'Images', level: 1 }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('h');
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    browser.expectNoFaults();
  });
});
