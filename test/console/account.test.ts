import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { sharedService, type SharedService } from '../support/services/shared-service.ts';
import { signedIn } from '../support/services/signed-in.ts';
import { createCurator, type Curator, signIn } from './support/curator.ts';
import { describeWithChromium } from './support/describe-with-chromium.ts';
import { expectAccessible, TestBrowser } from './support/open-browser.ts';

describeWithChromium('the account page of the console', () => {
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
    await page.goto(`/console/${curator.environment}/account`);
    await signIn(page, curator);
    await page.getByRole('heading', { name: 'Account' }).waitFor();
  });
  afterAll(() => resources.disposeAsync());

  test('a key is shown once, works, and can be revoked', async () => {
    await page.getByRole('button', { name: 'Create a key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Label').fill('<script>camera</script>');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Create a key' }).click();
    const command = await dialog.locator('pre').innerText();
    const key = /X-API-Key: (\S+)"/.exec(command)![1]!;
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Done' }).click();
    expect(await page.content()).not.toContain(key);
    const stats = () => fetch(`${service.url}/api/stats`, { headers: { 'X-API-Key': key } });
    expect((await stats()).status).toBe(200);
    await page.getByRole('button', { name: 'Revoke the key <script>camera</script>' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('status').getByText('was revoked').waitFor();
    browser.expectNoFaults(/status of 401/);
  });

  test('other sessions can be ended', async () => {
    const other = await signedIn(service, curator);
    await page.reload();
    const sessions = page.getByRole('group', { name: 'Sessions' });
    await sessions.getByText('Chrome, Linux').first().waitFor();
    await sessions
      .getByRole('button', { name: /^End the session/ })
      .first()
      .click();
    await page.getByRole('status').getByText('The session has ended.').waitFor();
    expect(await other.client.listSessions()).toMatchObject({ status: 401 });
    browser.expectNoFaults();
  });

  test('a person chooses the language, and every text follows', async () => {
    await page.getByRole('button', { name: /Language/ }).click();
    await page.getByRole('option', { name: 'Deutsch' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Konto' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
    await expectAccessible(page);
    await page.getByRole('button', { name: /Sprache/ }).click();
    await page.getByRole('option', { name: 'English' }).click();
    await page.getByRole('button', { name: 'Speichern' }).click();
    await page.getByRole('heading', { name: 'Account' }).waitFor();
    browser.expectNoFaults();
  });

  test('letters can be switched off, and keys with a modifier stay', async () => {
    await page.locator('body').press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.getByText('Single letters run commands').click();
    await page.locator('body').press('?');
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.getByText('Single letters run commands').click();
    await page.locator('body').press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    browser.expectNoFaults();
  });

  test('a command gets another key, which its button names, until it is reset', async () => {
    const undo = page.getByRole('row', { name: /^Undo/ });
    const settled = (text: string) => page.getByRole('status').getByText(text, { exact: true });
    await page.getByText('Everywhere', { exact: true }).click();
    await expectAccessible(page);
    await undo.getByRole('button', { name: /^Change the key of Undo/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Another key for: Undo' });
    const field = dialog.getByLabel('Press the new key');
    await field.press('m');
    await dialog.getByText('M belongs to: Merge').waitFor();
    await field.press('Control+c');
    await dialog.getByText('The browser needs Ctrl+C.').waitFor();
    await expectAccessible(page);
    expect(await dialog.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await field.press('q');
    expect(await field.inputValue()).toBe('Q');
    await field.press('Enter');
    await settled('Undo: Q').waitFor();
    await undo.getByText('Q', { exact: true }).waitFor();
    // The button of another page names the key, which works there, even after a reload.
    await page.goto(`/console/${curator.environment}/people`);
    await page.getByRole('button', { name: 'Person' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Ada');
    await page.getByLabel('Name', { exact: true }).press('Enter');
    await page.getByRole('gridcell', { name: 'Ada' }).click({ modifiers: ['Shift'] });
    await page.keyboard.press('Delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Undo' }).getByText('Q').waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog').getByText('Q', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('body').press('z');
    expect(await page.getByRole('gridcell', { name: 'Ada' }).count()).toBe(0);
    await page.locator('body').press('q');
    await page.getByRole('gridcell', { name: 'Ada' }).waitFor();
    await page.goto(`/console/${curator.environment}/account`);
    await page.getByText('Everywhere', { exact: true }).click();
    await page.getByRole('button', { name: 'Reset the key of Undo' }).click();
    await settled('Undo: Z').waitFor();
    await undo.getByText('Z', { exact: true }).waitFor();
    await undo.getByRole('button', { name: /^Change/ }).click();
    await field.press('Alt+q');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await undo.getByText('Alt+Q').waitFor();
    await page.getByRole('button', { name: 'Reset all keys' }).click();
    await undo.getByText('Z', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Reset all keys' }).isDisabled()).toBe(true);
    browser.expectNoFaults();
  });

  test('a wrong password is refused beside the form, and a new one ends other sessions', async () => {
    await page.getByLabel('Current password').fill('not this one');
    await page.getByLabel('New password').fill('long enough for all');
    await page.getByRole('button', { name: 'Change the password' }).click();
    await page.getByText('The current password is wrong.').waitFor();
    await page.getByLabel('Current password').fill(curator.password);
    await page.getByRole('button', { name: 'Change the password' }).click();
    await page.getByRole('status').getByText('The password was changed.').waitFor();
    await expectAccessible(page);
    browser.expectNoFaults(/status of 401/);
  });
});
