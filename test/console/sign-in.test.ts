import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sharedService, type SharedService } from '../support/services/shared-service.ts';
import { createCurator, type Curator, signIn } from './support/curator.ts';
import { describeWithChromium } from './support/describe-with-chromium.ts';
import { expectAccessible, TestBrowser } from './support/open-browser.ts';

/** Chromium reports each refused request as an error. */
const REFUSED = /status of 401/;

describeWithChromium('the sign-in of the console', () => {
  let resources: AsyncDisposableStack;
  let service: SharedService;
  let browser: TestBrowser;
  let curator: Curator;

  beforeAll(async () => {
    resources = new AsyncDisposableStack();
    service = resources.use(await sharedService('standalone'));
    browser = resources.use(await TestBrowser.open(service.url));
    curator = await createCurator(service);
  });
  afterAll(() => resources.disposeAsync());

  test('a visitor who asks for a page gets it after the sign-in', async () => {
    const page = await browser.openPage();
    const wanted = `/console/${curator.environment}/images`;
    await page.goto(wanted);
    await page.getByRole('heading', { name: 'Sign in to Sightline' }).waitFor();
    await expectAccessible(page);
    await signIn(page, curator);
    await page.getByRole('heading', { name: 'Images' }).waitFor();
    expect(new URL(page.url()).pathname).toBe(wanted);
    await expectAccessible(page);
    browser.expectNoFaults(REFUSED);
  });

  test('a wrong password is refused in words that do not say which part is wrong', async () => {
    const page = await browser.openPage();
    await page.goto('/');
    await page.getByLabel('E-mail address').fill(curator.email);
    await page.getByLabel('Password').fill('not this one');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page
      .getByRole('alert')
      .getByText('The e-mail address or the password is wrong.')
      .waitFor();
    await expectAccessible(page);
    browser.expectNoFaults(REFUSED);
  });

  test('a made password is replaced before anything else', async () => {
    const email = `newcomer-${Date.now()}@example.org`;
    const made = (await service.sightline('user', 'create', email)).trim();
    const page = await browser.openPage();
    await page.goto('/console/');
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password').fill(made);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Choose a password' }).waitFor();
    await expectAccessible(page);
    await page.getByLabel('Current password').fill(made);
    await page.getByLabel('New password', { exact: true }).fill('short');
    await page.getByLabel('New password, again').fill('short');
    await page.getByRole('button', { name: 'Save and continue' }).click();
    await page.getByText(/10/).nth(1).waitFor();
    await page.getByLabel('New password', { exact: true }).fill('long enough for all');
    await page.getByLabel('New password, again').fill('long enough for all');
    await page.getByRole('button', { name: 'Save and continue' }).click();
    await page.getByText('Your account is not a member of any environment.').waitFor();
    browser.expectNoFaults(REFUSED, /status of 400/);
  });

  test('a page that is loaded without a session leads to the sign-in', async () => {
    const page = await browser.openPage();
    await page.goto(`/console/${curator.environment}/images`);
    await signIn(page, curator);
    await page.getByRole('heading', { name: 'Images' }).waitFor();
    await page.context().clearCookies();
    await page.reload();
    await page.getByRole('heading', { name: 'Sign in to Sightline' }).waitFor();
    browser.expectNoFaults(REFUSED);
  });

  test('a sign-out forgets the session', async () => {
    const page = await browser.openPage();
    await page.goto(`/console/${curator.environment}/images`);
    await signIn(page, curator);
    await page.getByRole('button', { name: 'Account' }).click();
    await expectAccessible(page);
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in to Sightline' }).waitFor();
    expect(await page.context().cookies()).toEqual([]);
    browser.expectNoFaults(REFUSED);
  });

  test('the addresses of other sites are no destinations of a sign-in', async () => {
    const page = await browser.openPage();
    await page.goto('/console/sign-in?next=https%3A%2F%2Fexample.org%2Fconsole%2F');
    await signIn(page, curator);
    expect(new URL(page.url()).origin).toBe(new URL(service.url).origin);
    browser.expectNoFaults(REFUSED);
  });
});
