import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { sharedService } from '../support/services/shared-service.ts';
import { type Administrator, createAdministrator } from './support/administrator.ts';
import { signIn } from './support/curator.ts';
import { describeWithChromium } from './support/describe-with-chromium.ts';
import { expectAccessible, TestBrowser } from './support/open-browser.ts';

describeWithChromium('the system page of the console', () => {
  let resources: AsyncDisposableStack;
  let browser: TestBrowser;
  let administrator: Administrator;
  let page: Page;

  beforeAll(async () => {
    resources = new AsyncDisposableStack();
    const service = resources.use(await sharedService('standalone'));
    browser = resources.use(await TestBrowser.open(service.url));
    administrator = await createAdministrator(service);
    page = await browser.openPage();
    await page.goto(`/console/${administrator.environment}/settings`);
    await signIn(page, administrator);
    browser.expectNoFaults(/status of 401/);
  });
  afterAll(() => resources.disposeAsync());

  const region = (name: string) => page.getByRole('region', { name, exact: true });

  test('administrators see processes, models, queues and storage, by keyboard', async () => {
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
    await page.locator('body').press('g');
    await page.locator('body').press('y');
    await region('Health').getByText('Database').waitFor();
    await region('Processes')
      .getByRole('row', { name: /^Everything in one/ })
      .first()
      .waitFor();
    await region('Processes that run models').getByText('loaded').first().waitFor();
    await region('Storage').getByText('Images and crops').waitFor();
    await expectAccessible(page);
    browser.expectNoFaults();
  });

  test('reasons of failed checks and parts that could not be read are shown', async () => {
    await page.route('**/api/system/status', async (route) => {
      const status = (await (await route.fetch()).json()) as { health: object };
      const checks = { database: 'ok', vectors: 'failed', media: 'ok', events: 'ok' };
      const reasons = ['<b>no space</b> for images'];
      await route.fulfill({
        json: {
          ...status,
          health: { ...status.health, status: 'degraded', checks, reasons },
          jobs: [
            {
              type: 'reembed',
              jobs: 1,
              total: 1_000_000,
              done: 41,
              failed: 2,
              still_seconds: 3,
              waiting_seconds: 0,
            },
          ],
          indexes: null,
          outbox: null,
        },
      });
    });
    await page.reload();
    await page.getByText('<b>no space</b> for images').waitFor();
    await region('Unfinished jobs').getByText('41 / 1,000,000').waitFor();
    await region('Indexes').getByText('could not be read within two seconds').waitFor();
    await expectAccessible(page);
    browser.expectNoFaults();
  });

  test('the last state stays with its age while the service does not answer', async () => {
    await page.unroute('**/api/system/status');
    await page.reload();
    await region('Health').waitFor();
    await page.route('**/api/system/status', (route) => route.abort());
    // The page polls every five seconds, and says that nothing arrives after three of them.
    await page.clock.install();
    await page.clock.fastForward(16_000);
    await page.getByText(/^The service does not answer\. This is its state \d+ sec ago/).waitFor();
    await region('Storage').waitFor();
    await expectAccessible(page);
    await page.unroute('**/api/system/status');
    browser.expectNoFaults(/ERR_FAILED/);
  });

  test('others are told which right they need, and the navigation hides the page', async () => {
    await page.route('**/api/auth/session', async (route) => {
      const session = (await (await route.fetch()).json()) as { user: object };
      await route.fulfill({ json: { ...session, user: { ...session.user, is_admin: false } } });
    });
    await page.route('**/api/system/status', (route) =>
      route.fulfill({
        status: 403,
        contentType: 'application/problem+json',
        json: { status: 403, code: 'forbidden', detail: 'No.', title: 'No', request_id: 'x' },
      }),
    );
    await page.goto(`/console/${administrator.environment}/system`);
    await page.getByText('Only administrators of the installation see its state.').waitFor();
    const pages = page.getByRole('navigation', { name: 'Pages' });
    expect(await pages.getByRole('link', { name: 'System' }).count()).toBe(0);
    await expectAccessible(page);
    browser.expectNoFaults(/status of 403/);
  });
});
