import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { drawPhoto, freshPhoto } from '../support/fixtures/draw-photo.ts';
import { ok } from '../support/services/ok.ts';
import { sharedService, type SharedService } from '../support/services/shared-service.ts';
import { answerMany } from './support/answer-many.ts';
import { createCurator, type Curator, signIn } from './support/curator.ts';
import { describeWithChromium } from './support/describe-with-chromium.ts';
import { eventually } from '../support/waits/eventually.ts';
import { expectAccessible, TestBrowser } from './support/open-browser.ts';
import { untilStill } from './support/until-still.ts';

/** Labels that show whether texts of people are taken for markup or break the lines. */
const HOSTILE = '<img src=x onerror=alert(1)>';
const MANY = 100_000;
const MIXED = 'أحمد 👩‍🚀 O’Neil';

describeWithChromium('the people of the console', () => {
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
    await page.goto(`/console/${curator.environment}/people`);
    await signIn(page, curator);
    // The first page asks for a session before there is one.
    browser.expectNoFaults(/status of 401/);
  });
  afterAll(() => resources.disposeAsync());

  const grid = () => page.getByRole('grid', { name: 'People' });
  const tile = (name: string) => grid().getByRole('gridcell', { name }).first();
  /** Goes to a person with keys alone. */
  const moveTo = async (name: string) => {
    const index = Number(await tile(name).getAttribute('data-index'));
    await grid().focus();
    await page.keyboard.press('Control+Home');
    for (let at = 0; at < index; at++) await page.keyboard.press('ArrowRight');
  };
  /** Delays all readings of people until the returned function is called. */
  const holdLists = async () => {
    const released = Promise.withResolvers<undefined>();
    await page.route(/\/api\/identities\b/, async (route) => {
      if (route.request().method() === 'GET') await released.promise;
      return route.continue();
    });
    return async () => {
      released.resolve(undefined);
      await page.unrouteAll({ behavior: 'wait' });
    };
  };
  const enroll = async (name: string, face = name) =>
    ok(
      await curator.client.enrollFace({
        body: { name, file: await drawPhoto({ faces: [face], comment: name }) },
      }),
    ).identity_id;
  const open = async (path: string) => {
    await page.goto(`/console/${curator.environment}/${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
  };

  test('an empty library says what belongs here, and a person can be added', async () => {
    await page.getByText('There are no people yet').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Person' }).click();
    await page.getByLabel('Name', { exact: true }).fill(MIXED);
    await page.getByLabel('Name', { exact: true }).press('Enter');
    await tile(MIXED).waitFor();
    browser.expectNoFaults();
  });

  test('people are found, ordered, and found again after going back', async () => {
    for (const name of ['Ada', 'Bo', HOSTILE]) await enroll(name);
    await open('people');
    await tile(HOSTILE).waitFor();
    expect(await page.locator('img[src="x"]').count()).toBe(0);
    await expectAccessible(page);
    await page.getByLabel('Search by name').fill('ad');
    await tile('Bo').waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('?q=ad');
    await tile('Ada').click();
    await page.getByRole('heading', { name: 'Ada', level: 1 }).waitFor();
    await page.goBack();
    await tile('Ada').waitFor();
    expect(await page.getByLabel('Search by name').inputValue()).toBe('ad');
    await page.getByLabel('Search by name').fill('nowhere');
    await page.getByText('No person matches').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Remove the filters' }).click();
    await tile('Bo').waitFor();
    browser.expectNoFaults();
  });

  test('two people are merged by keyboard alone, and the merge is taken back', async () => {
    await enroll('Ada twin', 'Ada 2');
    await open('people');
    await tile('Ada twin').waitFor();
    await moveTo('Ada');
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Space');
    await page.getByText('2 selected').waitFor();
    await page.keyboard.press('m');
    const dialog = page.getByRole('dialog', { name: 'Which person stays?' });
    await dialog.waitFor();
    await expectAccessible(page);
    const release = await holdLists();
    await dialog.getByRole('button', { name: 'Merge 1 into Ada' }).press('Enter');
    await tile('Ada twin').waitFor({ state: 'detached' });
    await dialog.waitFor({ state: 'detached' });
    await release();
    await page.getByRole('status').getByText('merged into').waitFor();
    await page.locator('body').press('z');
    await tile('Ada twin').waitFor();
    browser.expectNoFaults();
  });

  test('a name is taken back while the lists are still read', async () => {
    await open('people');
    await tile('Bo').waitFor();
    await moveTo('Bo');
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: /^Rename/ }).click();
    const name = page.getByRole('dialog').getByLabel('Name', { exact: true });
    await name.fill('Bob');
    const release = await holdLists();
    await name.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const undone = page.waitForResponse(/\/api\/operations\/\d+\/undo/);
    await page.locator('body').press('z');
    await undone;
    await release();
    await page.getByRole('status').getByText('Undone: Renamed').waitFor();
    await tile('Bo').waitFor();
    expect(await grid().getByRole('gridcell', { name: 'Bob' }).count()).toBe(0);
    browser.expectNoFaults();
  });

  test('a merge of three goes on after a lost answer, and is taken back at once', async () => {
    await enroll('Ada 3rd', 'Ada 3');
    await open('people?q=ada');
    await expectCount(grid().getByRole('gridcell'), 3);
    await grid().focus();
    await page.keyboard.press('Control+a');
    await page.getByText('3 selected').waitFor();
    await page.keyboard.press('m');
    const dialog = page.getByRole('dialog', { name: 'Which person stays?' });
    let merges = 0;
    await page.route('**/api/identities/*/merge', async (route) => {
      merges++;
      if (merges !== 2) return route.continue();
      await route.fetch();
      return route.abort();
    });
    await dialog.getByRole('button', { name: /^Merge 2 into/ }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByRole('button', { name: /^Merge 1 into/ }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.unroute('**/api/identities/*/merge');
    await page.getByRole('status').getByText('2 merged into').waitFor();
    await expectCount(grid().getByRole('gridcell'), 1);
    await page.locator('body').press('z');
    await expectCount(grid().getByRole('gridcell'), 3);
    browser.expectNoFaults(/Failed to load resource/);
  });

  test('a name that another person has leads to that person', async () => {
    await open('people');
    await moveTo('Bo');
    await page.keyboard.press('Space');
    await page.keyboard.press('F2');
    await page.getByLabel('Name', { exact: true }).fill('Ada');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').getByRole('link', { name: 'Ada' }).waitFor();
    await expectAccessible(page);
    await page.getByLabel('Name', { exact: true }).fill('x'.repeat(201));
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').getByText(/200/).waitFor();
    await page.keyboard.press('Escape');
    browser.expectNoFaults(/status of 409/, /status of 400/);
  });

  test('people are deleted after the exact numbers were said, and return with an undo', async () => {
    await open('people');
    await moveTo(HOSTILE);
    await page.keyboard.press('Space');
    await page.keyboard.press('Delete');
    const dialog = page.getByRole('dialog', { name: 'Delete 1 person?' });
    await dialog.getByText('1 face and 1 reference').waitFor();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await tile(HOSTILE).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await tile(HOSTILE).waitFor();
    browser.expectNoFaults();
  });

  test('a deletion whose answer was lost is found for the undo', async () => {
    await moveTo(HOSTILE);
    await page.keyboard.press('Space');
    await page.keyboard.press('Delete');
    const dialog = page.getByRole('dialog', { name: 'Delete 1 person?' });
    await page.route('**/api/identities', async (route) => {
      await route.fetch();
      return route.abort();
    });
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByRole('alert').waitFor();
    await page.unroute('**/api/identities');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('status').getByText('1 person deleted').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await tile(HOSTILE).waitFor();
    browser.expectNoFaults(/Failed to load resource/);
  });

  test('people that two searches have found are merged, and Enter opens one', async () => {
    for (const name of ['Dora', 'Theodora']) await enroll(name);
    await open('people?q=theo');
    await tile('Theodora').locator('[data-check]').click();
    await page.getByLabel('Search by name').fill('dora');
    await tile('Dora').locator('[data-check]').click();
    await page.getByText('2 selected').waitFor();
    await page.getByRole('button', { name: 'Merge' }).click();
    await page.getByRole('button', { name: /^Merge 1 into/ }).click();
    await page.getByRole('status').getByText('merged into').waitFor();
    await eventually(() => grid().getByRole('gridcell').count(), 1);
    await page.getByLabel('Search by name').fill('');
    await tile('Bo').waitFor();
    await grid().focus();
    await page.keyboard.press('Control+a');
    await page.getByText(/^\d+ selected/).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.getByText(/^\d+ selected/).waitFor({ state: 'detached' });
    await moveTo('Bo');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Bo', level: 1 }).waitFor();
    browser.expectNoFaults();
  });

  test('faces of a person are moved, rejected, restored and confirmed', async () => {
    const cy = await enroll('Cy');
    for (const look of ['Cy 2', 'Cy 3']) {
      const file = await freshPhoto({ faces: [look] });
      const { faces } = ok(await curator.client.detectFaces({ body: { file } }));
      const items = [{ detection_id: faces[0]!.detection_id, identity_id: cy }];
      ok(await curator.client.labelDetections({ body: { items } }));
    }
    await open(`people/${cy}`);
    const faces = page.getByRole('grid', { name: 'Faces' }).getByRole('row');
    await expectCount(faces, 3);
    await expectAccessible(page);
    await faces.first().focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('n');
    await expectCount(faces, 2);
    await page.getByRole('tab', { name: 'Rejected' }).click();
    const rejected = page.getByRole('grid', { name: 'Rejected' }).getByRole('row');
    await expectCount(rejected, 1);
    await rejected.first().focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('r');
    await page.getByText('Nothing was rejected').waitFor();
    await expectAccessible(page);
    await page.getByRole('tab', { name: 'Faces' }).click();
    await faces.first().focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('v');
    const picker = page.getByRole('combobox');
    await picker.fill('Someone new');
    await page.getByRole('option', { name: 'Someone new' }).click();
    await page.getByRole('status').getByText('moved to Someone new').waitFor();
    browser.expectNoFaults();
  });

  test('a photo becomes a reference, and one without a single face says why not', async () => {
    const { items } = ok(await curator.client.searchIdentities({ query: { q: 'Cy' } }));
    await open(`people/${items[0]!.identity_id}?tab=references`);
    const references = page.getByRole('grid', { name: 'References' }).getByRole('row');
    const before = await waitForSome(references);
    const file = async (name: string, content: File | Buffer) => ({
      name,
      mimeType: 'image/jpeg',
      buffer: content instanceof File ? Buffer.from(await content.arrayBuffer()) : content,
    });
    await page
      .locator('input[type=file]')
      .setInputFiles([
        await file('cy.jpg', await drawPhoto({ faces: ['Cy 4'] })),
        await file('two.jpg', await drawPhoto({ faces: ['Cy', 'Bo'] })),
        await file('text.jpg', Buffer.from('no picture at all')),
      ]);
    await expectCount(references, before + 1);
    await page.getByText('text.jpg').waitFor();
    await page.getByText('two.jpg').waitFor();
    await expectAccessible(page);
    browser.expectNoFaults(/status of 4\d\d/);
  });

  test('the history takes back what was done, whoever did it', async () => {
    const { items } = ok(await curator.client.searchIdentities({ query: { q: 'Cy' } }));
    const cy = items[0]!.identity_id;
    ok(await curator.client.renameIdentity({ path: { id: cy }, body: { label: 'Cyrus' } }));
    await open(`people/${cy}?tab=history`);
    await page.getByRole('row', { name: /^Renamed/ }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: /^Undo: Renamed/ }).click();
    await page.getByRole('heading', { name: 'Cy', exact: true }).waitFor();
    await page.getByRole('status').getByText('Undone: Renamed').waitFor();
    // A record that was changed later is left as is, and nothing counts as undone.
    ok(await curator.client.renameIdentity({ path: { id: cy }, body: { label: 'Cyril' } }));
    await open(`people/${cy}?tab=history`);
    await page
      .getByRole('row', { name: /^Renamed/ })
      .first()
      .waitFor();
    ok(await curator.client.renameIdentity({ path: { id: cy }, body: { label: 'Cy' } }));
    await page
      .getByRole('button', { name: /^Undo: Renamed/ })
      .first()
      .click();
    await page.getByRole('status').getByText('Everything was changed later').waitFor();
    browser.expectNoFaults();
  });

  test('the external reference of a person is changed, refused, removed, and taken back', async () => {
    const id = await enroll('Dee');
    await open(`people/${id}`);
    const change = async (reference: string) => {
      await page.getByRole('button', { name: 'External reference' }).click();
      await page.getByLabel('External reference', { exact: true }).fill(reference);
      await page.getByLabel('External reference', { exact: true }).press('Enter');
    };
    const shown = page.getByText(`External reference: ${HOSTILE}`);
    await change('x'.repeat(1001));
    await page.getByRole('dialog').getByText(/1000/).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await change(HOSTILE);
    await shown.waitFor();
    await expectAccessible(page);
    expect(await page.locator('img[src="x"]').count()).toBe(0);
    await change('');
    await page.getByRole('status').getByText('was removed').waitFor();
    await shown.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await shown.waitFor();
    browser.expectNoFaults(/status of 400/);
  });

  test('an operation of the history opens its records, which lead to the faces', async () => {
    const id = await enroll('Eve');
    const file = await freshPhoto({ faces: ['Eve 2'] });
    const { faces } = ok(await curator.client.detectFaces({ body: { file } }));
    const face = faces[0]!.detection_id;
    const items = [{ detection_id: face, identity_id: id }];
    ok(await curator.client.labelDetections({ body: { items } }));
    ok(await curator.client.renameIdentity({ path: { id }, body: { label: MIXED + ' 2' } }));
    await open(`people/${id}?tab=history`);
    const records = page.getByRole('dialog', { name: /^Records: / });
    await page.getByRole('button', { name: /^Renamed: show 1 record/ }).click();
    await records.getByText(`Name: Eve → ${MIXED} 2`).waitFor();
    expect(new URL(page.url()).searchParams.get('operation')).toMatch(/^\d+$/);
    await expectAccessible(page);
    await page.reload();
    await records.getByText(`Name: Eve → ${MIXED} 2`).waitFor();
    await records.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: /^Faces named: show/ }).click();
    await records.getByText('State: waits for review → confirmed').waitFor();
    await expectAccessible(page);
    await records.getByRole('link', { name: `Face or object ${face}` }).click();
    await page.waitForURL(new RegExp(`/images/\\d+\\?detection=${face}$`));
    await page.goto(`/console/${curator.environment}/people/${id}?tab=history&operation=999999`);
    await records.getByText('It no longer exists.').waitFor();
    await expectAccessible(page);
    browser.expectNoFaults(/status of 404/);
  });

  test('a hundred thousand people are scrolled to their end with few cells and requests', async () => {
    const many = await browser.openPage();
    const mostInFlight = await answerManyPeople(many);
    const cell = (index: number) => many.getByRole('gridcell', { name: labelOf(index) });
    const cells = many.getByRole('grid', { name: 'People' }).getByRole('gridcell');
    await many.goto(`/console/${curator.environment}/people`);
    await signIn(many, curator);
    await cell(0).waitFor();
    await many.getByRole('grid', { name: 'People' }).focus();
    await many.keyboard.press('Control+End');
    await cell(MANY - 1).waitFor();
    expect(await cells.count()).toBeLessThanOrEqual(300);
    await expectAccessible(many);
    // The letters lead to places far apart.
    await many
      .getByRole('navigation', { name: 'Jump to' })
      .getByRole('button', { name: 'N' })
      .click();
    await many.getByRole('gridcell', { name: /^N/ }).first().waitFor();
    await many.mouse.move(700, 500);
    for (let turn = 0; turn < 20; turn++) await many.mouse.wheel(0, 3000);
    await untilStill(many.getByRole('grid', { name: 'People' }));
    await eventually(() => many.locator('[role=gridcell][aria-busy]').count(), 0);
    expect(await cells.count()).toBeLessThanOrEqual(300);
    const most = await mostInFlight();
    expect(most.pages).toBeLessThanOrEqual(4);
    expect(most.pictures).toBeLessThanOrEqual(24);
    expect(most.pages).toBeGreaterThan(0);
    expect(most.pictures).toBeGreaterThan(0);
    const first = await many.locator('[role=row]:has([role=gridcell])').nth(2).innerText();
    const place = many.getByRole('gridcell', { name: first.split('\n', 1)[0]! }).first();
    await place.click();
    await many.waitForURL(/\/people\/\d+/);
    await many.goBack();
    await place.waitFor();
    await many.keyboard.press('Control+a');
    await many.getByText('At most 1,000 people can be selected at a time.').waitFor();
    await many.context().close();
    browser.expectNoFaults(/status of 40[14]/);
  });

  test('a person who was deleted in another tab is no longer there', async () => {
    const id = await enroll('Gone soon');
    await open(`people/${id}`);
    ok(await curator.client.deleteIdentity({ path: { id } }));
    await page.reload();
    await page.getByRole('alert').getByText('It no longer exists.').waitFor();
    await expectAccessible(page);
    browser.expectNoFaults(/status of 404/);
  });
});

/** A letter of the alphabet and a number, in the order of labels. */
function labelOf(index: number): string {
  const letter = String.fromCodePoint(65 + Math.floor((index / MANY) * 26));
  return `${letter} ${String(index).padStart(6, '0')}`;
}

/** Answers as an environment with very many people would. */
async function answerManyPeople(page: Page) {
  const time = new Date().toISOString();
  return answerMany(page, {
    total: MANY,
    list: '/api/identities/summary',
    pictures: '/media/crops',
    value: labelOf,
    row: (index) => ({
      id: 1_000_000 + index,
      type: 'face',
      label: labelOf(index),
      external_ref: null,
      cover_detection_id: null,
      created_at: time,
      detection_count: 1,
      embedding_count: 1,
      pending_review_count: 0,
      last_seen_at: time,
      thumbnail_url: `/media/crops/${index}/none.jpg`,
    }),
  });
}

async function expectCount(rows: ReturnType<Page['locator']>, count: number): Promise<void> {
  await rows.nth(count).waitFor({ state: 'detached' });
  if (count > 0) await rows.nth(count - 1).waitFor();
}

async function waitForSome(rows: ReturnType<Page['locator']>): Promise<number> {
  await rows.first().waitFor();
  return rows.count();
}
