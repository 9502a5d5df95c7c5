import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { drawPhoto } from '../support/fixtures/draw-photo.ts';
import { ok } from '../support/services/ok.ts';
import { sharedService, type SharedService } from '../support/services/shared-service.ts';
import { type Administrator, createAdministrator } from './support/administrator.ts';
import { createCurator } from './support/curator.ts';
import { consoleAddresses } from './support/console-addresses.ts';
import { describeWithChromium } from './support/describe-with-chromium.ts';
import { expectAccessible, TestBrowser } from './support/open-browser.ts';
import { openSignedIn } from './support/open-signed-in.ts';
import { visitPage } from './support/visit-page.ts';

const FORBIDDEN = 'Your role in this environment does not allow this.';
/** Names that must not be seen outside their environment. */
const SECRET = 'Adelheid Secret';

describeWithChromium('two accounts in two browsers', () => {
  let resources: AsyncDisposableStack;
  let service: SharedService;
  let browser: TestBrowser;
  let owner: Administrator;
  let viewer: { readonly email: string; readonly password: string };
  let owned: Page;
  let viewed: Page;

  beforeAll(async () => {
    resources = new AsyncDisposableStack();
    service = resources.use(await sharedService('standalone'));
    browser = resources.use(await TestBrowser.open(service.url));
    owner = await createAdministrator(service);
    const headers = { 'X-Environment-Id': String(owner.environment) };
    const body = { name: SECRET, file: await drawPhoto({ faces: ['Ada'] }) };
    ok(await owner.client.enrollFace({ body, headers }));
    viewer = await invite('viewer');
    owned = await openSignedIn(browser, owner);
    viewed = await openSignedIn(browser, viewer);
  });
  afterAll(() => resources.disposeAsync());

  const invite = async (role: 'viewer') => {
    const email = `${role}-${randomUUID()}@example.org`;
    const password = 'a password of my own';
    const path = { id: owner.environment };
    const { url } = ok(await owner.client.createInvitation({ path, body: { email, role } }));
    const accepted = await fetch(`${service.url}/api/auth/invitations/accept`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin' },
      body: JSON.stringify({ token: url.split('#')[1], password, name: role }),
    });
    expect(accepted.status).toBe(200);
    return { email, password };
  };
  const open = (page: Page, address: string) =>
    visitPage(page, `/console/${owner.environment}${address}`);
  const count = (name: RegExp | string) => viewed.getByRole('button', { name }).count();

  test('what only owners and administrators do is absent or says which right it needs', async () => {
    await open(viewed, '/settings');
    await viewed.getByText('You can only look.').waitFor();
    await viewed.getByText('You can read these settings.').waitFor();
    const inputs = viewed.locator('main').getByRole('region').getByRole('textbox');
    expect(await inputs.count()).toBeGreaterThan(0);
    for (const input of await inputs.all()) expect(await input.isDisabled()).toBe(true);
    expect(await count(/^(Save|Default of)/)).toBe(0);
    await expectAccessible(viewed);
    await open(viewed, '/webhooks');
    await viewed.getByText('Only owners of the environment see and change webhooks.').waitFor();
    expect(await count('Webhook')).toBe(0);
    await open(viewed, '/audit');
    await viewed.getByText('Owners of the environment see its audit').waitFor();
    await open(viewed, '/models');
    await viewed.getByText('Administrators download and activate models.').waitFor();
    expect(await count(/^(Activate|Download)/)).toBe(0);
    await open(viewed, '/environments');
    await viewed.getByRole('button', { name: 'Leave: Office' }).waitFor();
    expect(await count(/^(Rename|Delete|Members): Office/)).toBe(0);
    const pages = viewed.getByRole('navigation', { name: 'Pages' });
    expect(await pages.getByRole('link', { name: /^(Users|System)$/ }).count()).toBe(0);
    browser.expectNoFaults(/status of 403/);
  });

  test('a request that the role does not allow says so, and changes nothing', async () => {
    await open(viewed, '/people');
    await viewed.getByRole('gridcell', { name: SECRET }).waitFor();
    await viewed.getByRole('button', { name: 'Person', exact: true }).click();
    const dialog = viewed.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('Intruder');
    await dialog.getByLabel('Name', { exact: true }).press('Enter');
    await dialog.getByText(FORBIDDEN).waitFor();
    await expectAccessible(viewed);
    const headers = { 'X-Environment-Id': String(owner.environment) };
    const { items } = ok(await owner.client.listIdentities({ headers }));
    expect(items.map(({ label }) => label)).toEqual([SECRET]);
    browser.expectNoFaults(/status of 403/);
  });

  test('a role that the owner changes is that of the other browser after its next reading', async () => {
    await open(owned, '/environments');
    await owned.getByRole('button', { name: 'Members: Office' }).click();
    const role = owned.getByRole('button', { name: new RegExp(`Role of ${viewer.email}`) });
    await role.click();
    await owned.getByRole('option', { name: 'Editor' }).click();
    await owned.getByRole('status').getByText(`Changed: ${viewer.email}`).waitFor();
    await viewed.reload();
    await viewed.getByRole('button', { name: 'Person', exact: true }).click();
    const dialog = viewed.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('Berta');
    await dialog.getByLabel('Name', { exact: true }).press('Enter');
    await viewed.getByRole('gridcell', { name: 'Berta' }).waitFor();
    expect(await viewed.getByText('You can only look.').count()).toBe(0);
    // The owner sees what the other person has done.
    await open(owned, '/people');
    await owned.getByRole('gridcell', { name: 'Berta' }).waitFor();
    browser.expectNoFaults();
  });

  test('the environment of another account shows a notice and none of its data', async () => {
    const stranger = await openSignedIn(browser, await createCurator(service));
    for (const address of await consoleAddresses({ person: 1, image: 1, job: 1, webhook: 1 })) {
      await stranger.goto(`/console/${owner.environment}${address}`);
      await stranger.getByText('Your account is not a member of this environment').waitFor();
      expect(await stranger.locator('main').innerText()).not.toMatch(/Secret|Office|Berta/);
    }
    await expectAccessible(stranger);
    browser.expectNoFaults(/status of 40[34]/);
  });
});
