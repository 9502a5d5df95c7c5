import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { freshPhoto } from '../support/fixtures/draw-photo.ts';
import { ok } from '../support/services/ok.ts';
import { sharedService, type SharedService } from '../support/services/shared-service.ts';
import { createCurator, type Curator, signIn } from './support/curator.ts';
import { describeWithChromium } from './support/describe-with-chromium.ts';
import { eventually } from '../support/waits/eventually.ts';
import { expectAccessible, TestBrowser } from './support/open-browser.ts';

/** A reference that shows whether texts of applications are taken for markup, and that mixes directions. */
const HOSTILE = '<img src=x onerror=alert(1)> أحمد';

describeWithChromium('the changes of the console', () => {
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
    page = await browser.openPage({ permissions: ['clipboard-read', 'clipboard-write'] });
    await page.goto(`/console/${curator.environment}/changes`);
    await signIn(page, curator);
    // The first page asks for a session before there is one.
    browser.expectNoFaults(/status of 401/);
  });
  afterAll(() => resources.disposeAsync());

  const rows = () => page.getByRole('group', { name: 'Changes' }).locator('tbody tr');
  const createPerson = async (label: string) =>
    ok(await curator.client.createIdentity({ body: { label, type: 'face' } })).id;

  test('changes appear by themselves, the newest first', async () => {
    await page.getByText('There are no changes yet').waitFor();
    await page.getByRole('status').getByText('appear automatically').waitFor();
    await expectAccessible(page);
    const file = await freshPhoto({ faces: ['Ada'] });
    ok(await curator.client.detectFaces({ body: { file, external_ref: HOSTILE } }));
    const found = rows().filter({ hasText: HOSTILE });
    await found.getByText('created').waitFor();
    expect(await page.locator('img[src="x"]').count()).toBe(0);
    const id = await createPerson('Bo');
    await rows()
      .first()
      .getByRole('link', { name: `Identity ${id}` })
      .waitFor();
    await expectAccessible(page);
    browser.expectNoFaults();
  });

  test('a paused page stays as it is, and goes on where it was', async () => {
    await page.keyboard.press('p');
    await page.getByRole('status').getByText('Paused').waitFor();
    const before = await rows().count();
    const id = await createPerson('Cy');
    await page.waitForTimeout(1_500);
    expect(await rows().count()).toBe(before);
    await page.getByRole('button', { name: 'Resume' }).click();
    await rows()
      .first()
      .getByRole('link', { name: `Identity ${id}` })
      .waitFor();
    expect(await rows().count()).toBe(before + 1);
    browser.expectNoFaults();
  });

  test('the cursor is copied, and leads an application to later changes', async () => {
    await page.getByRole('button', { name: 'Copy the cursor' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const since = Number(await page.evaluate('navigator.clipboard.readText()'));
    const id = await createPerson('Di');
    const read = async () =>
      ok(await curator.client.listChanges({ query: { since } })).changes.map(
        (change) => change.entity_id,
      );
    await eventually(read, [id]);
    browser.expectNoFaults();
  });

  test('filters are in the address, and removable where nothing fits', async () => {
    await page.getByRole('button', { name: 'Kind of record' }).click();
    await page.getByRole('option', { name: 'Faces and objects' }).click();
    await eventually(() => rows().count(), 1);
    expect(new URL(page.url()).search).toBe('?entity=detection');
    await page.getByRole('button', { name: 'Kind of change' }).click();
    await page.getByRole('option', { name: 'merged' }).click();
    await page.getByText('No change matches').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Remove filter: merged' }).click();
    await eventually(() => rows().count(), 1);
    browser.expectNoFaults();
  });

  test('a change leads to its image, and says so if that is no longer there', async () => {
    const change = rows().getByRole('button', { name: /show the image$/ });
    await change.click();
    await page.waitForURL('**/images/*');
    const image = Number(new URL(page.url()).pathname.split('/').at(-1));
    await page.goBack();
    await change.waitFor();
    ok(await curator.client.deleteImage({ path: { id: image }, query: { purge: true } }));
    await rows().getByText('deleted').waitFor();
    await change.click();
    await page.getByRole('status').getByText('no longer exists').waitFor();
    browser.expectNoFaults(/status of 404/);
  });

  test('a feed that is interrupted says so, and goes on by itself', async () => {
    await page.route('**/api/changes*', (route) => route.abort());
    await page.reload();
    await page.getByRole('alert').getByText('The service does not answer.').waitFor();
    await expectAccessible(page);
    await page.unroute('**/api/changes*');
    await rows().first().waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    browser.expectNoFaults(/ERR_FAILED/);
  });

  test('a session that ends in the middle is renewed over the page, and the feed goes on', async () => {
    await page.getByRole('button', { name: 'Remove filter: Faces and objects' }).click();
    await page.context().clearCookies();
    // The answer to the request that waits comes first.
    await createPerson('Ed');
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.getByLabel('Password').fill(curator.password);
    await dialog.getByLabel('Password').press('Enter');
    await dialog.waitFor({ state: 'detached' });
    const id = await createPerson('Fay');
    await rows()
      .first()
      .getByRole('link', { name: `Identity ${id}` })
      .waitFor();
    browser.expectNoFaults(/status of 401/);
  });

  test('the page reads in German, and fits a narrow window', async () => {
    const other = await browser.openPage({
      locale: 'de-DE',
      viewport: { width: 320, height: 640 },
    });
    await other.goto(`/console/${curator.environment}/changes`);
    await other.getByLabel('E-Mail-Adresse').fill(curator.email);
    await other.getByLabel('Passwort').fill(curator.password);
    await other.getByLabel('Passwort').press('Enter');
    await other.getByRole('heading', { name: 'Änderungen', level: 1 }).waitFor();
    await other.getByRole('cell', { name: 'gelöscht' }).waitFor();
    await expectAccessible(other);
    const html = other.locator('html');
    expect(await html.evaluate((root) => root.scrollWidth - root.clientWidth)).toBe(0);
    await other.context().close();
    browser.expectNoFaults(/status of 401/);
  });
});
