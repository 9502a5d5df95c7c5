import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { drawPhoto, freshPhoto } from '../support/fixtures/draw-photo.ts';
import { ok } from '../support/services/ok.ts';
import { sharedService, type SharedService } from '../support/services/shared-service.ts';
import { createCurator, type Curator, signIn } from './support/curator.ts';
import { describeWithChromium } from './support/describe-with-chromium.ts';
import { expectAccessible, TestBrowser } from './support/open-browser.ts';

/** Labels that show whether texts of people are taken for markup or break the lines. */
const HOSTILE = '<img src=x onerror=alert(1)>';
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

  const tile = (name: string) =>
    page.getByRole('grid', { name: 'People' }).getByRole('row', { name });
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
    await tile('Ada').first().focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Space');
    await page.keyboard.press('m');
    const dialog = page.getByRole('dialog', { name: 'Which person stays?' });
    await dialog.waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Merge 1 into Ada' }).press('Enter');
    await tile('Ada twin').waitFor({ state: 'detached' });
    await page.getByRole('status').getByText('merged into').waitFor();
    await page.locator('body').press('z');
    await tile('Ada twin').waitFor();
    browser.expectNoFaults();
  });

  test('a name that another person has leads to that person', async () => {
    await tile('Bo').focus();
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
    await tile(HOSTILE).focus();
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
    browser.expectNoFaults();
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

async function expectCount(rows: ReturnType<Page['locator']>, count: number): Promise<void> {
  await rows.nth(count).waitFor({ state: 'detached' });
  if (count > 0) await rows.nth(count - 1).waitFor();
}

async function waitForSome(rows: ReturnType<Page['locator']>): Promise<number> {
  await rows.first().waitFor();
  return rows.count();
}
