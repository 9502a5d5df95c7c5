import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { ok } from '../support/services/ok.ts';
import { sharedService } from '../support/services/shared-service.ts';
import { createCurator, type Curator, signIn } from './support/curator.ts';
import { describeWithChromium } from './support/describe-with-chromium.ts';
import { eventually } from '../support/waits/eventually.ts';
import { expectAccessible, TestBrowser } from './support/open-browser.ts';

describeWithChromium('the settings of the console', () => {
  let resources: AsyncDisposableStack;
  let browser: TestBrowser;
  let curator: Curator;
  let page: Page;

  beforeAll(async () => {
    resources = new AsyncDisposableStack();
    const service = resources.use(await sharedService('standalone'));
    browser = resources.use(await TestBrowser.open(service.url));
    curator = await createCurator(service);
    page = await browser.openPage();
    await page.goto(`/console/${curator.environment}/settings`);
    await signIn(page, curator);
    browser.expectNoFaults(/status of 401/);
  });
  afterAll(() => resources.disposeAsync());

  const value = async (key: string) => ok(await curator.client.getSetting({ path: { key } })).value;
  const field = (name: string) => page.getByRole('region', { name, exact: true });

  test('a threshold is saved with Enter, shows who changed it, and goes back to its default', async () => {
    const match = field('Name a face from');
    await match.getByText('Default: 0.5').waitFor();
    await match.getByText('-1 to 1').waitFor();
    await expectAccessible(page);
    await match.getByRole('textbox').fill('0,61');
    await match.getByRole('textbox').press('Enter');
    await page.getByRole('status').getByText('Saved: Name a face from').waitFor();
    expect(await value('face.match_threshold')).toBe(0.61);
    await match.getByText(/^Changed .* by /).waitFor();
    await match.getByRole('button', { name: 'Default of: Name a face from' }).click();
    await eventually(() => value('face.match_threshold'), 0.5);
    browser.expectNoFaults();
  });

  test('a refused value stands beside its field in the words of the service', async () => {
    const match = field('Name a face from');
    await match.getByRole('textbox').fill('2');
    await match.getByRole('button', { name: 'Save' }).click();
    await match.getByText('face.match_threshold must be a number from -1 to 1.').waitFor();
    await expectAccessible(page);
    await match.getByRole('textbox').press('Escape');
    expect(await match.getByRole('textbox').inputValue()).toBe('0.5');
    await match.getByRole('textbox').fill('<script>');
    await match.getByRole('textbox').press('Enter');
    await match.getByText('must be a number').waitFor();
    await match.getByRole('button', { name: 'Cancel' }).click();
    browser.expectNoFaults(/status of 400/);
  });

  test('thresholds that cross are explained', async () => {
    const confirm = field('Confirm without review from');
    await confirm.getByRole('textbox').fill('0.3');
    await confirm.getByRole('textbox').press('Enter');
    await page.getByText('Nothing waits for a review.').waitFor();
    await confirm.getByRole('button', { name: /^Default of/ }).click();
    await page.getByText('Nothing waits for a review.').waitFor({ state: 'detached' });
    browser.expectNoFaults();
  });

  test('lists lose blank lines and repetitions, and choices and switches are saved at once', async () => {
    const vocabulary = field('Vocabulary of objects');
    await vocabulary.getByRole('textbox').fill('red bus\n\nschwarze Katze 🐈\nred bus\nقطة');
    await vocabulary.getByText('left out: 2').waitFor();
    await vocabulary.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('status').getByText('Saved: Vocabulary').waitFor();
    expect(await value('object.vocabulary')).toEqual(['red bus', 'schwarze Katze 🐈', 'قطة']);
    await page.getByRole('switch', { name: 'Audit of reading' }).click({ force: true });
    await eventually(() => value('audit.reads'), true);
    await field('Compare faces with').getByRole('button').first().click();
    await page.getByRole('option', { name: 'The mean of all references' }).click();
    await eventually(() => value('face.match_strategy'), 'average');
    browser.expectNoFaults();
  });

  test('settings of the installation are marked, and only administrators change them', async () => {
    const quality = field('JPEG quality of images Whole installation');
    expect(await quality.getByRole('textbox').isDisabled()).toBe(true);
    browser.expectNoFaults();
  });

  test('a search finds settings, and the address keeps it', async () => {
    await page.getByLabel('Search settings').fill('class_filter');
    await field('Name a face from').waitFor({ state: 'detached' });
    await field('Classes of objects').waitFor();
    await page.getByLabel('Search settings').fill('nothing like this');
    await page.getByText('No setting matches').waitFor();
    await expectAccessible(page);
    expect(new URL(page.url()).searchParams.get('q')).toBe('nothing like this');
    await page.getByRole('button', { name: 'Remove the search for nothing like this' }).click();
    await field('Name a face from').waitFor();
    browser.expectNoFaults();
  });

  test('members who are no owners read, and a failed read can be repeated', async () => {
    await page.route('**/api/account/environments', async (route) => {
      const { items } = (await (await route.fetch()).json()) as { items: object[] };
      await route.fulfill({ json: { items: items.map((each) => ({ ...each, role: 'viewer' })) } });
    });
    await page.route('**/api/settings', (route) => route.abort(), { times: 4 });
    await page.reload();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('You can read these settings.').waitFor();
    expect(await field('Name a face from').getByRole('textbox').isDisabled()).toBe(true);
    await expectAccessible(page);
    browser.expectNoFaults(/ERR_FAILED/);
  });
});
