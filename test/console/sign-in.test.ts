import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sharedService, type SharedService } from '../support/services/shared-service.ts';
import { createCurator, type Curator, signIn } from './support/curator.ts';
import { describeWithChromium } from './support/describe-with-chromium.ts';
import { expectAccessible, TestBrowser } from './support/open-browser.ts';

/** Chromium reports each refused request as an error. */
const REFUSED = /status of 401/;

// Texts, because the types of this program are those of Node.
const STORAGES = {
  blocked: `for (const name of ['localStorage', 'sessionStorage'])
    Object.defineProperty(window, name, { get() { throw new DOMException('blocked', 'SecurityError'); } });`,
  full: `Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };`,
};
const GARBAGE = `sessionStorage.setItem('sightline.places', '[1, ["x", null]]');
  localStorage.setItem('sightline.keys', '[3]'); localStorage.setItem('sightline.look', '{');`;

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
    await page.getByText('Your account is not a member of any environment yet.').waitFor();
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

  test('another account in another tab stops the pages of the one before', async () => {
    const other = await createCurator(service);
    const page = await browser.openPage();
    await page.goto(`/console/${curator.environment}/people`);
    await signIn(page, curator);
    await page.getByRole('heading', { name: 'People' }).waitFor();
    const second = await page.context().newPage();
    await second.goto(`${service.url}/console/sign-in`);
    await signIn(second, other);
    await page.getByText('Another account has signed in').waitFor();
    expect(await page.getByRole('navigation', { name: 'Pages' }).count()).toBe(0);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Continue with the other account' }).click();
    await page.waitForURL(`**/console/${other.environment}/overview`);
    browser.expectNoFaults(REFUSED);
  });

  test.each(['blocked', 'full'])('a storage that is %s hinders no page', async (state) => {
    const page = await browser.openPage();
    await page.addInitScript(STORAGES[state as keyof typeof STORAGES]);
    await page.goto(`/console/${curator.environment}/people`);
    await signIn(page, curator);
    await page.getByRole('heading', { name: 'People' }).waitFor();
    await page.getByRole('link', { name: 'Review' }).click();
    await page.getByRole('heading', { name: 'Review' }).waitFor();
    browser.expectNoFaults(REFUSED);
  });

  test('stored values of another version are left out', async () => {
    const page = await browser.openPage();
    await page.goto('/console/sign-in');
    await page.evaluate(GARBAGE);
    await page.goto(`/console/${curator.environment}/people`);
    await signIn(page, curator);
    await page.getByRole('heading', { name: 'People' }).waitFor();
    browser.expectNoFaults(REFUSED);
  });

  test('a link with a sentence in place of a code of refusal shows no sentence', async () => {
    const page = await browser.openPage();
    await page.goto('/console/sign-in?error=Call%20us%20now&next=%2Fconsole%2Fsign-out');
    await page.getByRole('heading', { name: 'Sign in to Sightline' }).waitFor();
    expect(await page.getByText('Call us now').count()).toBe(0);
    await signIn(page, curator);
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
