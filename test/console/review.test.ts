import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { freshPhoto, drawPhoto } from '../support/fixtures/draw-photo.ts';
import { ok } from '../support/services/ok.ts';
import { sharedService, type SharedService } from '../support/services/shared-service.ts';
import { createCurator, type Curator, signIn } from './support/curator.ts';
import { describeWithChromium } from './support/describe-with-chromium.ts';
import { eventually } from '../support/waits/eventually.ts';
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

  test('faces without a suggestion are named', async () => {
    await store('Stranger');
    await open('review');
    await page.getByRole('tab', { name: 'Without suggestion 1' }).click();
    await page.getByRole('heading', { name: 'Who is this?' }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await page.getByRole('combobox').fill('Known now');
    await page.getByRole('option', { name: 'Known now' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByText('Nothing waits here').waitFor();
    await page.getByRole('tab', { name: 'Without suggestion 0' }).waitFor();
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
    await page.getByRole('button', { name: 'Show faces put off' }).press('Enter');
    await page.getByRole('list', { name: 'People who look alike' }).waitFor();
    browser.expectNoFaults();
  });

  test('decisions can be taken back before and after they were sent', async () => {
    await open('review');
    const best = page.getByRole('list', { name: 'People who look alike' });
    await best.waitFor();
    const counted = (confirmed: number) =>
      eventually(
        async () =>
          ok(await curator.client.listOperations({ query: { limit: 200 } })).items.filter(
            ({ kind }) => kind === 'review' || kind === 'undo',
          ).length,
        confirmed,
      );
    const before = ok(await curator.client.listOperations({ query: { limit: 200 } })).items.filter(
      ({ kind }) => kind === 'review' || kind === 'undo',
    ).length;
    await page.keyboard.press('Enter');
    await counted(before + 1);
    await page.keyboard.press('z');
    await counted(before + 2);
    await best.waitFor();
    await page.getByRole('status').getByText('Undone: Confirmed').waitFor();
    browser.expectNoFaults();
  });

  test('thirty faces are decided about while the network fails and the page is reloaded', async () => {
    const people = ['Eve', 'Fay', 'Gil', 'Hal', 'Ida'];
    for (const name of people) await enroll(name, name);
    const ids: number[] = [];
    for (const look of [2, 3, 4, 5, 6, 7]) {
      ids.push(...(await store(...people.map((name) => `${name} ${look}`))));
    }
    const waiting = async () =>
      ok(await curator.client.countReviewQueue({ query: { has_suggestion: true } })).count;
    await open('review');
    const best = page.getByRole('list', { name: 'People who look alike' });
    await best.waitFor();
    await page.waitForTimeout(500);
    const press = async (count: number) => {
      for (let pressed = 0; pressed < count; pressed++) await page.keyboard.press('Enter');
    };
    await press(8);
    await page.route('**/api/review/*/confirm', (route) => route.abort());
    await press(8);
    await page.getByText(/The service does not answer\. \d+ decisions? waits?/).waitFor();
    await expectAccessible(page);
    await page.route('**/api/review/*/confirm', (route) =>
      route.fulfill({
        status: 503,
        contentType: 'application/problem+json',
        headers: { 'Retry-After': '1' },
        body: JSON.stringify({
          type: 'about:blank',
          title: 'Store unavailable',
          status: 503,
          detail: 'The store is unavailable.',
          code: 'store_unavailable',
          request_id: 'test',
        }),
      }),
    );
    await press(4);
    await page.reload();
    await page.getByText(/The service does not answer\. \d+ decisions? waits?/).waitFor();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await best.waitFor();
    // Earlier faces may get a suggestion while these wait, so their number is not known.
    await eventually(async () => {
      await press(5);
      return page.getByText('Nothing waits here').isVisible();
    }, true);
    await eventually(waiting, 0);
    for (const id of ids) expect(await statusOf(id)).toBe('confirmed');
    const { items } = ok(await curator.client.listOperations({ query: { limit: 200 } }));
    // Each face was decided about once, however often its decision was sent.
    const reviews = items.filter(({ kind }) => kind === 'review').slice(0, 30);
    expect(reviews).toHaveLength(30);
    browser.expectNoFaults(/ERR_FAILED/, /status of 503/);
  });

  test('a face that was decided about in another tab keeps that decision', async () => {
    const [first] = await store('Ada 5');
    await open('review');
    await page.getByRole('list', { name: 'People who look alike' }).waitFor();
    ok(await curator.client.rejectFace({ path: { id: first! } }));
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('Another person has decided').waitFor();
    expect(await statusOf(first!)).toBe('rejected');
    const [second] = await store('Ada 6');
    await page.getByRole('button', { name: 'Check again' }).click();
    await page.getByRole('list', { name: 'People who look alike' }).waitFor();
    ok(await curator.client.deleteDetections({ body: { detection_ids: [second!] } }));
    await page.keyboard.press('n');
    await page.getByRole('status').getByText('or it was deleted').waitFor();
    browser.expectNoFaults(/status of 404/);
  });

  test('a refused decision comes back on top with its reason', async () => {
    const [face] = await store('Ada 7');
    await page.getByRole('button', { name: 'Check again' }).click();
    await page.getByRole('list', { name: 'People who look alike' }).waitFor();
    await page.route('**/api/review/*/reject', (route) =>
      route.fulfill({
        status: 403,
        contentType: 'application/problem+json',
        body: JSON.stringify({
          type: 'about:blank',
          title: 'Forbidden',
          status: 403,
          detail: 'Not allowed.',
          code: 'forbidden',
          request_id: 'req-1',
        }),
      }),
    );
    await page.keyboard.press('n');
    await page.getByRole('alert').getByText('Your role in this environment').waitFor();
    await expectAccessible(page);
    expect(await statusOf(face!)).toBe('pending');
    await page.unrouteAll();
    await page.keyboard.press('x');
    await page.getByText('Nothing waits here').waitFor();
    browser.expectNoFaults(/status of 403/);
  });

  test('a session that ends loses no decision', async () => {
    const [face] = await store('Bo 4');
    await page.getByRole('button', { name: 'Check again' }).click();
    await page.getByRole('list', { name: 'People who look alike' }).waitFor();
    const cookies = await page.context().cookies();
    await page.context().clearCookies();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
    await page.context().addCookies(cookies);
    await page.reload();
    await eventually(() => statusOf(face!), 'confirmed');
    browser.expectNoFaults(/status of 401/);
  });

  test('all faces of a person are confirmed at once, without the one that was taken out', async () => {
    const ids = [...(await store('Ida 8')), ...(await store('Ida 9')), ...(await store('Hal 8'))];
    await open('review');
    await page.keyboard.press('b');
    await page.getByRole('heading', { name: 'Ida', level: 2 }).waitFor();
    const faces = page.getByRole('listbox', { name: 'Faces that may be Ida' });
    await faces.getByRole('option').nth(1).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Confirm 1 and reject 1' }).waitFor();
    await page.keyboard.press('Shift+Enter');
    await page.getByRole('status').getByText('1 face confirmed as Ida').waitFor();
    await page.getByRole('heading', { name: 'Hal', level: 2 }).waitFor();
    expect((await Promise.all(ids.map(statusOf))).toSorted()).toEqual([
      'confirmed',
      'pending',
      'rejected',
    ]);
    await page.keyboard.press('z');
    await eventually(
      async () => (await Promise.all(ids.map(statusOf))).join(),
      'pending,pending,pending',
    );
    await page.locator('button:enabled', { hasText: 'Previous person' }).waitFor();
    await page.keyboard.press('k');
    await page.getByRole('heading', { name: 'Ida', level: 2 }).waitFor();
    await page.getByRole('slider').focus();
    await page.keyboard.press('End');
    await page.waitForURL(/min=1/);
    await page.getByText('No person has faces that wait').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Remove the filter: Similarity at least 1.00' }).click();
    await page.getByRole('heading', { name: 'Ida', level: 2 }).waitFor();
    browser.expectNoFaults();
  });

  test('mismatches are kept or moved to another person', async () => {
    const jo = await enroll('Jo', 'Jo');
    const [second, third, ...odd] = [
      ...(await store('Jo 2')),
      ...(await store('Jo 3')),
      ...(await store('Odd')),
      ...(await store('Peculiar')),
    ];
    const items = [second, third, ...odd].map((id) => ({ detection_id: id!, identity_id: jo }));
    ok(await curator.client.labelDetections({ body: { items } }));
    const mismatches = async () =>
      ok(await curator.client.listMismatches({ query: { identity_id: jo } })).count;
    await eventually(mismatches, 2);
    await open('review?tab=mismatches');
    await page.getByRole('heading', { name: 'Is this really Jo?' }).waitFor();
    await page.getByAltText('The photo around the face').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('The face stays with Jo').waitFor();
    await page.keyboard.press('/');
    await page.getByRole('combobox').fill('Somebody else');
    await page.getByRole('option', { name: 'Somebody else' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByText('Nothing waits here').waitFor();
    await eventually(mismatches, 0);
    const faces = await Promise.all(
      odd.map(async (id) => ok(await curator.client.getDetection({ path: { id: id } })).label),
    );
    expect(faces.toSorted()).toEqual(['Jo', 'Somebody else']);
    browser.expectNoFaults();
  });
});
