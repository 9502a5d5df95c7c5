import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { ok } from '../support/services/ok.ts';
import { sharedService, type SharedService } from '../support/services/shared-service.ts';
import { type Administrator, createAdministrator } from './support/administrator.ts';
import { createCurator } from './support/curator.ts';
import { describeWithChromium } from './support/describe-with-chromium.ts';
import { expectAccessible, TestBrowser } from './support/open-browser.ts';
import { openSignedIn } from './support/open-signed-in.ts';

const PASSWORD = 'a password of my own';

describeWithChromium('invitations in the console', () => {
  let resources: AsyncDisposableStack;
  let service: SharedService;
  let browser: TestBrowser;
  let owner: Administrator;

  beforeAll(async () => {
    resources = new AsyncDisposableStack();
    service = resources.use(await sharedService('standalone'));
    browser = resources.use(await TestBrowser.open(service.url));
    owner = await createAdministrator(service);
  });
  afterAll(() => resources.disposeAsync());
  // A visitor has no session, and a link counts once.
  afterEach(() => browser.expectNoFaults(/status of 40[0134]/));

  const invite = async (email: string) => {
    const path = { id: owner.environment };
    const body = { email, role: 'reviewer' } as const;
    return ok(await owner.client.createInvitation({ path, body })).url;
  };
  const open = async (url: string) => {
    const page = await browser.openPage();
    await page.goto(url);
    return page;
  };
  const press = (page: Page, name: string) => page.getByRole('button', { name }).click();
  const choosePassword = async (page: Page, first: string, second: string) => {
    await page.getByLabel('New password', { exact: true }).fill(first);
    await page.getByLabel('New password, again').fill(second);
  };
  const opened = async (page: Page) => {
    await page.waitForURL(`**/console/${owner.environment}/overview`);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    // Back does not lead to the secret of the link.
    expect(await page.evaluate('location.hash')).toBe('');
  };

  test('a new person chooses a password and is in the environment; the link counts once', async () => {
    const url = await invite(`new-${randomUUID()}@example.org`);
    const page = await open(url);
    await choosePassword(page, 'short', 'shorter');
    await page.getByText('The passwords do not match.').waitFor();
    await expectAccessible(page);
    await choosePassword(page, 'short', 'short');
    await press(page, 'Create the account and accept');
    await page
      .getByLabel('New password', { exact: true })
      .and(page.locator('[aria-invalid=true]'))
      .waitFor();
    await choosePassword(page, PASSWORD, PASSWORD);
    await page.getByLabel('Name').fill('Nadja <b>');
    await press(page, 'Create the account and accept');
    await opened(page);
    const again = await open(url);
    await choosePassword(again, PASSWORD, PASSWORD);
    await press(again, 'Create the account and accept');
    await again.getByText('This invitation is no longer valid').waitFor();
    await expectAccessible(again);
  });

  test('a person who has an account is asked to sign in, and then accepts', async () => {
    const member = await createCurator(service);
    const page = await open(await invite(member.email));
    await choosePassword(page, PASSWORD, PASSWORD);
    await press(page, 'Create the account and accept');
    await page.getByText('already has an account').waitFor();
    await expectAccessible(page);
    await page.getByLabel('E-mail address').fill(member.email);
    await page.getByLabel('Password').fill(member.password);
    await press(page, 'Sign in');
    await page.getByText(`You are signed in as ${member.email}.`).waitFor();
    await expectAccessible(page);
    await press(page, 'Accept');
    await opened(page);
  });

  test('another account learns that the invitation is not for it', async () => {
    const other = await createCurator(service);
    const page = await openSignedIn(browser, other);
    await page.goto(await invite(`someone-${randomUUID()}@example.org`));
    await press(page, 'Accept');
    await page.getByText('The invitation is for another account.').waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in to Sightline' }).waitFor();
  });

  test('a link without its secret says that it is not complete', async () => {
    const page = await open(`${service.url}/console/invitation`);
    await page.getByText('The link is not complete.').waitFor();
    await expectAccessible(page);
  });

  test('the secret of a link is in no request of the page', async () => {
    const url = await invite(`new-${randomUUID()}@example.org`);
    const token = url.split('#')[1]!;
    const page = await browser.openPage();
    const addresses: string[] = [];
    page.on('request', (request) => addresses.push(request.url(), request.headers().referer ?? ''));
    await page.goto(url);
    await press(page, 'I already have an account');
    await signInAsOwner(page);
    await press(page, 'Accept');
    await page.getByText('The invitation is for another account.').waitFor();
    expect(addresses.length).toBeGreaterThan(5);
    expect(addresses.filter((address) => address.includes(token))).toEqual([]);
  });

  const signInAsOwner = async (page: Page) => {
    await page.getByLabel('E-mail address').fill(owner.email);
    await page.getByLabel('Password').fill(owner.password);
    await press(page, 'Sign in');
  };
});
