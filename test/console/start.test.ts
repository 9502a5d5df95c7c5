import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { ok } from '../support/services/ok.ts';
import { sharedService, type SharedService } from '../support/services/shared-service.ts';
import { signedIn } from '../support/services/signed-in.ts';
import { describeWithChromium } from './support/describe-with-chromium.ts';
import { expectAccessible, TestBrowser } from './support/open-browser.ts';
import { sidewaysScroll } from './support/visit-page.ts';

const HOSTILE = '<script>alert(1)</script> مكتبة 📚';

describeWithChromium('an account without environments', () => {
  let resources: AsyncDisposableStack;
  let service: SharedService;
  let browser: TestBrowser;
  let page: Page;
  const email = `newcomer-${randomUUID()}@example.org`;
  const passwords = [`own ${randomUUID()}`, `other ${randomUUID()}`] as const;

  beforeAll(async () => {
    resources = new AsyncDisposableStack();
    service = resources.use(await sharedService('standalone'));
    browser = resources.use(await TestBrowser.open(service.url));
    const made = (await service.sightline('user', 'create', email)).trim();
    const { client } = await signedIn(service, { email, password: made });
    const body = { current_password: made, new_password: passwords[0] };
    ok(await client.changePassword({ body }));
    page = await browser.openPage();
  });
  afterAll(() => resources.disposeAsync());

  const title = () => page.getByRole('heading', { name: 'Create your first environment' });
  const signIn = async (password: string) => {
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByLabel('Password').press('Enter');
  };

  test('is told what an environment is, and changes its password and signs out', async () => {
    await page.goto('/console/');
    await signIn(passwords[0]);
    await title().waitFor();
    await page.getByText(`invite ${email}`).waitFor();
    await expectAccessible(page);
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await sidewaysScroll(page)).toBeLessThanOrEqual(0);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole('link', { name: 'Change the password' }).click();
    await page.getByText('Your other sessions end').waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Back' }).click();
    await page.getByRole('link', { name: 'Change the password' }).click();
    await page.getByLabel('Current password').fill(passwords[0]);
    await page.getByLabel('New password', { exact: true }).fill(passwords[1]);
    await page.getByLabel('New password, again').fill(passwords[1]);
    await page.keyboard.press('Enter');
    await title().waitFor();
    await page.getByRole('link', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in to Sightline' }).waitFor();
    browser.expectNoFaults(/status of 401/);
  });

  test('creates its first environment by keyboard, and is led into it', async () => {
    await page.goto('/console/');
    await signIn(passwords[1]);
    await title().waitFor();
    await page.keyboard.type('x'.repeat(300));
    await page.keyboard.press('Enter');
    await page.getByText(/1 to 200 characters/).waitFor();
    await expectAccessible(page);
    await page.getByLabel('Name').fill(HOSTILE);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await page.getByRole('button', { name: HOSTILE }).waitFor();
    await page.goto('/console/');
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    browser.expectNoFaults(/status of 4\d\d/);
  });
});
