import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { freshPhoto } from '../support/fixtures/draw-photo.ts';
import { ok } from '../support/services/ok.ts';
import { sharedService, type SharedService } from '../support/services/shared-service.ts';
import { signedIn } from '../support/services/signed-in.ts';
import { createCurator, type Curator, signIn } from './support/curator.ts';
import { describeWithChromium } from './support/describe-with-chromium.ts';
import { eventually } from '../support/waits/eventually.ts';
import { expectAccessible, TestBrowser } from './support/open-browser.ts';

/** A label that shows whether labels are taken for markup, and whose address has dots and slashes. */
const HOSTILE = '<img src=x onerror=alert(1)>/../أحمد 👩‍🚀.jpg';

describeWithChromium('the objects of the console', () => {
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
    await page.goto(`/console/${curator.environment}/objects`);
    await signIn(page, curator);
    // The first page asks for a session before there is one.
    browser.expectNoFaults(/status of 401/);
  });
  afterAll(() => resources.disposeAsync());

  const tiles = () => page.getByRole('region', { name: 'Classes' }).getByRole('link');
  const settingOf = async (key: string) =>
    ok(await curator.client.getSetting({ path: { key } })).value;

  test('an environment without objects says what belongs here', async () => {
    await page.getByText('No objects were found yet').waitFor();
    await page.getByText('The active model is toy-objects.').waitFor();
    await expectAccessible(page);
    browser.expectNoFaults();
  });

  test('classes have their numbers, are found by name, and lead to their images', async () => {
    for (const objects of [['apple', 'bus'], ['apple']] as const) {
      ok(await curator.client.detectObjects({ body: { file: await freshPhoto({ objects }) } }));
    }
    await page.reload();
    await eventually(() => tiles().allInnerTexts(), ['apple\n2 objects', 'bus\n1 object']);
    await expectAccessible(page);
    await page.getByLabel('Search by name').fill('BU');
    await eventually(() => tiles().count(), 1);
    expect(new URL(page.url()).search).toBe('?q=BU');
    await page.getByLabel('Search by name').fill('zebra');
    await page.getByText('No class matches').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Remove filter: zebra' }).click();
    await tiles().filter({ hasText: 'apple' }).click();
    await page.getByRole('heading', { name: 'apple', level: 1 }).waitFor();
    await eventually(() => page.getByRole('img', { name: /^Image \d+ with apple$/ }).count(), 2);
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Images with this class' }).click();
    await page.waitForURL('**/images?class_name=apple');
    browser.expectNoFaults();
  });

  test('covers are shown in an environment that is not the usual one of the account', async () => {
    const { client } = await signedIn(service, curator);
    const { id: environment } = ok(await client.createEnvironment({ body: { name: 'Other' } }));
    const { key } = ok(
      await client.createKey({
        body: { label: 'test', type: 'full', environment_id: environment },
      }),
    );
    const body = { file: await freshPhoto({ objects: ['bus'] }) };
    ok(await service.clientWith(key).detectObjects({ body }));
    await page.goto(`/console/${environment}/objects`);
    const cover = tiles().first().locator('img');
    const isLoaded = async () =>
      (await cover.count()) === 1 &&
      (await cover.evaluate(
        (image) => (image as unknown as { naturalWidth: number }).naturalWidth,
      )) > 0;
    await eventually(isLoaded, true);
    browser.expectNoFaults();
  });

  test('a class that there is not says so, whatever its name', async () => {
    const part = encodeURIComponent(HOSTILE.replaceAll('.', '~2e').replaceAll('/', '~2f'));
    await page.goto(`/console/${curator.environment}/objects/${part}`);
    await page.getByText('There are no objects of this class').waitFor();
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(HOSTILE);
    expect(await page.locator('img[src="x"]').count()).toBe(0);
    await expectAccessible(page);
    browser.expectNoFaults();
  });

  test('the vocabulary is one object a line, without what is repeated or blank', async () => {
    await page.goto(`/console/${curator.environment}/objects`);
    await page.getByText('only models with an open vocabulary have one').waitFor();
    await page.getByRole('button', { name: 'Change: Vocabulary' }).click();
    const dialog = page.getByRole('dialog', { name: 'Vocabulary' });
    await dialog
      .getByLabel('One object per line')
      .fill(`a red umbrella\n\n${HOSTILE}\na red umbrella`);
    await dialog.getByText('Repeated, so kept once: a red umbrella').waitFor();
    await dialog.getByText('1 blank line is left out.').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('status').getByText('Saved: Vocabulary').waitFor();
    await page.getByRole('listitem').filter({ hasText: HOSTILE }).waitFor();
    expect(await settingOf('object.vocabulary')).toEqual(['a red umbrella', HOSTILE]);
    await page.getByRole('button', { name: 'Change: Vocabulary' }).click();
    await dialog.getByLabel('One object per line').fill('x'.repeat(500));
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByRole('alert').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    browser.expectNoFaults(/status of 400/);
  });

  test('the class filter is chosen by keyboard', async () => {
    await page.getByRole('button', { name: 'Change: Class filter' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Class filter' });
    await dialog.getByLabel('Search the classes').fill('umb');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await dialog.getByText('1 class chosen').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save' }).press('Enter');
    await page.getByRole('status').getByText('Saved: Class filter').waitFor();
    expect(await settingOf('object.class_filter')).toEqual(['umbrella']);
    browser.expectNoFaults();
  });

  test('the page reads in German, and fits a narrow window', async () => {
    const other = await browser.openPage({
      locale: 'de-DE',
      viewport: { width: 320, height: 640 },
    });
    await other.goto(`/console/${curator.environment}/objects`);
    await other.getByLabel('E-Mail-Adresse').fill(curator.email);
    await other.getByLabel('Passwort').fill(curator.password);
    await other.getByLabel('Passwort').press('Enter');
    await other.getByRole('heading', { name: 'Objekte', level: 1 }).waitFor();
    await other.getByText('2 Objekte').waitFor();
    await expectAccessible(other);
    const html = other.locator('html');
    expect(await html.evaluate((root) => root.scrollWidth - root.clientWidth)).toBe(0);
    await other.context().close();
    browser.expectNoFaults(/status of 401/);
  });
});
