import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { ok } from '../support/services/ok.ts';
import { sharedService, type SharedService } from '../support/services/shared-service.ts';
import { signedIn } from '../support/services/signed-in.ts';
import { type Administrator, createAdministrator } from './support/administrator.ts';
import { signIn } from './support/curator.ts';
import { describeWithChromium } from './support/describe-with-chromium.ts';
import { expectAccessible, TestBrowser } from './support/open-browser.ts';

/** A name that shows whether texts of people are taken for markup or break the lines. */
const HOSTILE = '<script>alert(1)</script> مكتبة 📚';

describeWithChromium('the environments of the console', () => {
  let resources: AsyncDisposableStack;
  let service: SharedService;
  let browser: TestBrowser;
  let owner: Administrator;
  let page: Page;

  beforeAll(async () => {
    resources = new AsyncDisposableStack();
    service = resources.use(await sharedService('standalone'));
    browser = resources.use(await TestBrowser.open(service.url));
    owner = await createAdministrator(service);
    page = await browser.openPage();
    await page.goto(`/console/${owner.environment}/environments`);
    await signIn(page, owner);
    browser.expectNoFaults(/status of 401/);
  });
  afterAll(() => resources.disposeAsync());

  const dialog = () => page.getByRole('dialog');
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const confirm = (name: string) => dialog().getByRole('button', { name, exact: true }).click();
  const said = (text: string) => page.getByRole('status').getByText(text).waitFor();

  test('an environment is created and renamed, and a name that exists is refused', async () => {
    await page.getByRole('row', { name: /^Office/ }).waitFor();
    await expectAccessible(page);
    await page.locator('body').press('n');
    await dialog().getByLabel('Name').fill('Office');
    await confirm('Create');
    await dialog().locator('[slot=errorMessage]').getByText(/./).waitFor();
    await expectAccessible(page);
    await dialog().getByLabel('Name').fill(HOSTILE);
    await dialog().getByLabel('Name').press('Enter');
    await page.getByRole('row', { name: HOSTILE }).waitFor();
    await press(`Rename: ${HOSTILE}`);
    await dialog().getByLabel('Name').fill('Archive');
    await confirm('Save');
    await page.getByRole('row', { name: /^Archive/ }).waitFor();
    browser.expectNoFaults(/status of 409/);
  });

  test('a person is invited with a link that is shown once, gets a role, and is removed', async () => {
    const email = `guest-${randomUUID()}@example.org`;
    const password = 'a password of my own';
    await press('Members: Office');
    const members = page.getByRole('region', { name: 'Members of Office' });
    await members.getByRole('row', { name: owner.email }).waitFor();
    await members.getByLabel('E-mail address').fill('no address');
    await press('Invite');
    await members.getByText('Expected an e-mail address').waitFor();
    await expectAccessible(page);
    await members.getByLabel('E-mail address').fill(email);
    await press('Invite');
    const link = await dialog().locator('pre').innerText();
    await expectAccessible(page);
    await confirm('Close');
    await members.getByRole('row', { name: email }).waitFor();
    const accepted = await fetch(`${service.url}/api/auth/invitations/accept`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin' },
      body: JSON.stringify({ token: link.split('#')[1], password, name: HOSTILE }),
    });
    expect(accepted.status).toBe(200);
    await page.reload();
    await members.getByRole('row', { name: HOSTILE }).waitFor();
    await members.getByRole('button', { name: `Viewer Role of ${email}` }).click();
    await page.getByRole('option', { name: 'Editor' }).click();
    await said(`Changed: ${email}`);
    await members.getByRole('button', { name: `Editor Role of ${email}` }).click();
    await page.getByRole('option', { name: 'Reviewer' }).click();
    await dialog().getByText('The keys and invitations that the person has made').waitFor();
    await expectAccessible(page);
    await confirm('Save');
    await members.getByRole('button', { name: `Reviewer Role of ${email}` }).waitFor();
    const guest = await signedIn(service, { email, password });
    expect(ok(await guest.client.listEnvironments()).items).toMatchObject([{ role: 'reviewer' }]);
    await press(`Remove: ${email}`);
    await confirm('Remove');
    await members.getByRole('row', { name: email }).waitFor({ state: 'detached' });
    browser.expectNoFaults(/status of 400/);
  });

  test('the last owner stays one', async () => {
    await press(`Remove: ${owner.email}`);
    await confirm('Remove');
    await dialog().getByRole('alert').getByText(/owner/).waitFor();
    await confirm('Cancel');
    browser.expectNoFaults(/status of 409/);
  });

  test('an environment is deleted once its name is typed, and the page leaves it', async () => {
    await press('Delete: Archive');
    const remove = dialog().getByRole('button', { name: 'Delete' });
    await dialog().getByLabel('Type Archive to delete it').fill('archive');
    expect(await remove.isDisabled()).toBe(true);
    await expectAccessible(page);
    await dialog().getByLabel('Type Archive to delete it').fill('Archive');
    await remove.click();
    await said('Archive is deleted.');
    await page.getByRole('row', { name: /^Archive/ }).waitFor({ state: 'detached' });
    await press('Delete: Office');
    await dialog().getByLabel('Type Office to delete it').fill('Office');
    await confirm('Delete');
    await dialog()
      .getByRole('alert')
      .getByText(/only one/)
      .waitFor();
    await expectAccessible(page);
    browser.expectNoFaults(/status of 40[49]/);
  });
});
