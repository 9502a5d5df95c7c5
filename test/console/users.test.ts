import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { ok } from '../support/services/ok.ts';
import { sharedService, type SharedService } from '../support/services/shared-service.ts';
import { signedIn } from '../support/services/signed-in.ts';
import { type Administrator, createAdministrator } from './support/administrator.ts';
import { createCurator, signIn } from './support/curator.ts';
import { describeWithChromium } from './support/describe-with-chromium.ts';
import { expectAccessible, TestBrowser } from './support/open-browser.ts';

/** A name that spreadsheets and browsers must not carry out. */
const HOSTILE = '=1+1 <script>alert(1)</script> 👩‍🚀';

describeWithChromium('users and audit of the console', () => {
  let resources: AsyncDisposableStack;
  let service: SharedService;
  let browser: TestBrowser;
  let administrator: Administrator;
  let page: Page;
  const email = `newcomer-${randomUUID()}@example.org`;

  beforeAll(async () => {
    resources = new AsyncDisposableStack();
    service = resources.use(await sharedService('standalone'));
    browser = resources.use(await TestBrowser.open(service.url));
    administrator = await createAdministrator(service);
    page = await browser.openPage();
    await page.goto(`/console/${administrator.environment}/users`);
    await signIn(page, administrator);
    browser.expectNoFaults(/status of 401/);
  });
  afterAll(() => resources.disposeAsync());

  const dialog = () => page.getByRole('dialog');
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const confirm = (name: string) => dialog().getByRole('button', { name, exact: true }).click();
  const row = (name: string | RegExp) => page.getByRole('row', { name });
  const made = async () => {
    const password = await dialog().locator('pre').innerText();
    await expectAccessible(page);
    await confirm('Done');
    return password;
  };
  const choose = async (label: RegExp, option: string) => {
    await page.getByRole('button', { name: label }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };

  test('an account is created with a password that is shown once and works', async () => {
    await row(administrator.email).getByText('Administrator of the installation').waitFor();
    await expectAccessible(page);
    await page.locator('body').press('n');
    await dialog().getByLabel('E-mail address').fill('nowhere');
    await confirm('Create');
    await dialog().getByText('Expected an e-mail address').waitFor();
    await dialog().getByLabel('E-mail address').fill(administrator.email);
    await confirm('Create');
    await dialog()
      .getByText(/Another account|already/i)
      .waitFor();
    await expectAccessible(page);
    await dialog().getByLabel('E-mail address').fill(email);
    await dialog().getByLabel('Name').fill(HOSTILE);
    await confirm('Create');
    const password = await made();
    await row(email).getByText(HOSTILE).waitFor();
    await signedIn(service, { email, password });
    browser.expectNoFaults(/status of 4\d\d/);
  });

  test('an account gets a new password and rights, is disabled, and enabled again', async () => {
    await press(`New password: ${email}`);
    await confirm('New password');
    const password = await made();
    await signedIn(service, { email, password });
    await press(`Make administrator: ${email}`);
    await confirm('Make administrator');
    await press(`Remove administrator rights: ${email}`);
    await confirm('Remove administrator rights');
    await press(`Disable: ${email}`);
    await expectAccessible(page);
    await confirm('Disable');
    await row(email).getByText('Disabled').waitFor();
    await expect(signedIn(service, { email, password })).rejects.toThrow('401');
    await press(`Enable: ${email}`);
    await row(email).getByText('Can sign in').waitFor();
    expect(
      await page.getByRole('button', { name: `Disable: ${administrator.email}` }).count(),
    ).toBe(0);
    browser.expectNoFaults();
  });

  test('an environment whose owners are all disabled gets an owner', async () => {
    const owner = await createCurator(service);
    const number = () => dialog().getByLabel('Number of the environment');
    const appoint = async (environment: string) => {
      await number().fill(environment);
      await number().press('Enter');
    };
    await press(`Appoint as owner: ${administrator.email}`);
    await appoint('Office');
    await dialog().getByText('Enter a whole number.').waitFor();
    await appoint(String(owner.environment));
    await dialog().getByText('The environment has an owner who can sign in').waitFor();
    await expectAccessible(page);
    await appoint('999999999');
    await dialog().getByText('There is no environment with this number').waitFor();
    const { items } = ok(await administrator.client.listUsers());
    const { id } = items.find((user) => user.email === owner.email)!;
    ok(await administrator.client.changeUser({ path: { id }, body: { disabled: true } }));
    await appoint(String(owner.environment));
    await page
      .getByRole('status')
      .getByText(`is an owner of environment ${owner.environment}.`)
      .waitFor();
    const own = ok(await administrator.client.listEnvironments()).items;
    expect(own.find((each) => each.id === owner.environment)).toMatchObject({ role: 'owner' });
    browser.expectNoFaults(/status of 40[49]/);
  });

  test('a search finds accounts, and nothing', async () => {
    await page.getByLabel('Search by name').fill(email);
    await row(administrator.email).waitFor({ state: 'detached' });
    await page.getByLabel('Search by name').fill('nobody at all');
    await page.getByText('No account matches').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: /^Remove the search/ }).click();
    await row(administrator.email).waitFor();
    browser.expectNoFaults();
  });

  test('the audit of the environment and the installation is filtered, and exported whole', async () => {
    const environment = { headers: { 'X-Environment-Id': String(administrator.environment) } };
    const body = { label: HOSTILE, type: 'face' } as const;
    ok(await administrator.client.createIdentity({ body, ...environment }));
    await page.goto(`/console/${administrator.environment}/audit`);
    await row(/Person or class created/).waitFor();
    await expectAccessible(page);
    await choose(/Audit of/, 'The installation');
    await row(/Account created/)
      .first()
      .waitFor();
    await choose(/Any action/, 'created');
    await choose(/Anyone/, administrator.email);
    await row(/Account changed/)
      .first()
      .waitFor({ state: 'detached' });
    expect(new URL(page.url()).searchParams.get('action')).toBe('create');
    const downloading = page.waitForEvent('download');
    await press('Export as CSV');
    const csv = await readFile(await (await downloading).path(), 'utf8');
    expect(csv).toMatch(/^id,at,environment_id,actor,/);
    expect(csv).toContain(`,${administrator.email},`);
    expect(csv).not.toContain('change');
    await page.getByLabel('Number or id').fill('no such entity');
    await press('Filter');
    await page.getByText('No entry matches').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Remove filter: Number or id: no such entity' }).click();
    await row(/Account created/)
      .first()
      .waitFor();
    browser.expectNoFaults();
  });

  test('others are told which right they need', async () => {
    const refusal = {
      status: 403,
      contentType: 'application/problem+json',
      json: { status: 403, code: 'forbidden', detail: 'No.', title: 'No', request_id: 'x' },
    };
    await page.route('**/api/account/users', (route) => route.fulfill(refusal));
    await page.route('**/api/audit?*', (route) => route.fulfill(refusal));
    await page.goto(`/console/${administrator.environment}/users`);
    await page.getByText('Only administrators of the installation see and change').waitFor();
    await expectAccessible(page);
    await page.goto(`/console/${administrator.environment}/audit`);
    await page.getByText('Owners of the environment see its audit').waitFor();
    await expectAccessible(page);
    browser.expectNoFaults(/status of 403/);
  });
});
