import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { freePort } from '@sightline/dev-platform/free-port';
import type { Page } from 'playwright-core';
import { CLIENT, OpenIdServer } from '../support/servers/open-id-server.ts';
import { startStandalone } from '../support/services/running-standalone.ts';
import { builtConsole } from './support/built-console.ts';
import { createCurator, type Curator } from './support/curator.ts';
import { describeWithChromium } from './support/describe-with-chromium.ts';
import { expectAccessible, TestBrowser } from './support/open-browser.ts';
import { openSignedIn } from './support/open-signed-in.ts';
import { answerProblem } from './support/problem-answer.ts';

describeWithChromium('the login of an organization on the account page', () => {
  let resources: AsyncDisposableStack;
  let provider: OpenIdServer;
  let browser: TestBrowser;
  let curator: Curator;
  let page: Page;

  beforeAll(async () => {
    resources = new AsyncDisposableStack();
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const redirectUris = [`${url}/api/auth/oidc/callback`];
    provider = resources.use(await OpenIdServer.open({ redirectUris }));
    const service = resources.use(
      await startStandalone({
        SIGHTLINE_CONSOLE_DIR: await builtConsole(),
        SIGHTLINE_PORT: String(port),
        SIGHTLINE_PUBLIC_URL: url,
        SIGHTLINE_OIDC_ISSUER: provider.issuer,
        SIGHTLINE_OIDC_CLIENT_ID: CLIENT.id,
        SIGHTLINE_OIDC_CLIENT_SECRET: CLIENT.secret,
      }),
    );
    browser = resources.use(await TestBrowser.open(url));
    curator = await createCurator(service);
    page = await openSignedIn(browser, curator);
  });
  afterAll(() => resources.disposeAsync());

  const open = async () => {
    await page.goto(`/console/${curator.environment}/account`);
    await section().waitFor();
  };
  /** Makes the page believe that the account has one way to sign in. */
  const answerSignIn = (way: 'password' | 'oidc') =>
    page.route('**/api/account/me', async (route) => {
      const response = await route.fetch();
      const profile = (await response.json()) as object;
      await route.fulfill({ json: { ...profile, sign_in: [way] } });
    });
  const section = () =>
    page.getByRole('region', { name: /^(Sign-in with your organization|Anmeldung über Ihre)/ });
  const press = (name: string) => section().getByRole('button', { name, exact: true }).click();
  const dialog = () => page.getByRole('dialog');
  const confirm = (name: string) => dialog().getByRole('button', { name, exact: true }).click();

  test('is bound at the provider, and then signs the person in', async () => {
    provider.person = { sub: 'ada', email: 'ada@provider.example', name: 'Ada' };
    await open();
    await section().getByText('No login of your organization is bound').waitFor();
    await expectAccessible(page);
    await press('Bind a login');
    await page.waitForURL('**/overview');
    await open();
    await section().getByText('A login of your organization is bound').waitFor();
    await expectAccessible(page);
    const other = await browser.openPage();
    await other.goto('/console/sign-in');
    await other.getByRole('link', { name: 'Sign in with your organization' }).click();
    await other.waitForURL(`**/console/${curator.environment}/overview`);
    await other.context().close();
    expect(provider.requests).toContain('/token');
    browser.expectNoFaults(/request to/, /status of 401/);
  });

  test('is not bound while the provider does not answer, and says so', async () => {
    await answerSignIn('password');
    await open();
    const detail = 'The identity provider is unavailable.';
    await page.route('**/api/auth/oidc', (route) =>
      answerProblem(route, { status: 503, code: 'identity_provider_unavailable', detail }),
    );
    await press('Bind a login');
    await section().getByRole('alert').getByText(detail).waitFor();
    await expectAccessible(page);
    await page.unrouteAll();
    browser.expectNoFaults(/status of 503/);
  });

  test('stays if it is the only way to sign in', async () => {
    await open();
    await press('Remove the login');
    await expectAccessible(page);
    await page.route('**/api/account/oidc', (route) =>
      answerProblem(route, { status: 409, code: 'last_sign_in', detail: 'No.' }),
    );
    await confirm('Remove the login');
    await dialog().getByRole('alert').getByText('The account has no password').waitFor();
    await expectAccessible(page);
    await confirm('Cancel');
    await page.unrouteAll();
    await answerSignIn('oidc');
    await open();
    await section().getByText('The account has no password').waitFor();
    expect(await section().getByRole('button').count()).toBe(0);
    await page.unrouteAll();
    browser.expectNoFaults(/status of 409/);
  });

  test('is removed, also in German', async () => {
    const body = { name: 'Ada', locale: 'de', default_environment_id: null };
    const saved = await page.request.patch('/api/account/me', {
      data: body,
      headers: { 'Sec-Fetch-Site': 'same-origin' },
    });
    expect(saved.status()).toBe(200);
    await open();
    await press('Verknüpfung entfernen');
    await expectAccessible(page);
    await confirm('Verknüpfung entfernen');
    await page.getByRole('status').getByText('Die Verknüpfung wurde entfernt.').waitFor();
    await section().getByRole('button', { name: 'Anmeldung verknüpfen' }).waitFor();
    browser.expectNoFaults();
  });
});
