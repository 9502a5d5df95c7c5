import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { sharedService } from '../support/services/shared-service.ts';
import { createCurator, type Curator, signIn } from './support/curator.ts';
import { describeWithChromium } from './support/describe-with-chromium.ts';
import { madeJob } from './support/made-job.ts';
import { expectAccessible, TestBrowser } from './support/open-browser.ts';

const PLAN = {
  reembed_images: 812_000,
  enrolled_images: 4_100,
  estimated_seconds: 7_200,
  enrolled_seconds: 40,
  needed_bytes: 2_000_000_000,
  free_bytes: 1_000_000,
  matching_pauses: true,
};

/** The models of the shared service serve other suites, so answers about changes are made here. */
describeWithChromium('the models of the console', () => {
  let resources: AsyncDisposableStack;
  let browser: TestBrowser;
  let curator: Curator;
  let page: Page;

  beforeAll(async () => {
    resources = new AsyncDisposableStack();
    const service = resources.use(await sharedService('standalone'));
    browser = resources.use(await TestBrowser.open(service.url));
    curator = await createCurator(service);
    page = await browser.openPage();
    await page.goto(`/console/${curator.environment}/models`);
    await signIn(page, curator);
    browser.expectNoFaults(/status of 401/);
  });
  afterAll(() => resources.disposeAsync());

  const becomeAdministrator = async () => {
    await page.route('**/api/auth/session', async (route) => {
      const session = (await (await route.fetch()).json()) as { user: object };
      await route.fulfill({ json: { ...session, user: { ...session.user, is_admin: true } } });
    });
  };
  /** Adds a model, and changes the listed ones. */
  const listModels = async (...added: object[]) => {
    await page.unroute('**/api/models?*');
    await page.route('**/api/models?*', async (route) => {
      const body = (await (await route.fetch()).json()) as { items: object[] };
      const items = added.map((each, i) => ({
        ...body.items[0],
        id: 900 + i,
        active: false,
        ...each,
      }));
      await route.fulfill({ json: { ...body, items: [...body.items, ...items] } });
    });
  };
  const card = (name: string) => page.getByRole('article', { name });
  const other = {
    name: 'عين <b>other</b>',
    task: 'face',
    status: 'available',
    source_url: 'https://example.org/pack.zip',
    sha256: null,
    size_bytes: null,
    commercial_use: 'unknown',
    commercial_use_reason: null,
  };

  test('members see every model with its license in words, and are told who changes them', async () => {
    await page.getByText('Administrators download and activate models.').waitFor();
    const faces = page.getByRole('region', { name: 'Faces' });
    await faces.getByText('Active', { exact: true }).first().waitFor();
    await faces.getByText('Commercial use').first().waitFor();
    expect(await page.getByRole('button', { name: /^(Activate|Download)/ }).count()).toBe(0);
    await expectAccessible(page);
    browser.expectNoFaults();
  });

  test('a download asks for the license, shows its rate, and can fail', async () => {
    await becomeAdministrator();
    await listModels(other);
    let asked = '';
    await page.route('**/api/models/900/download*', async (route) => {
      asked = route.request().url();
      await route.fulfill({ status: 202, json: { job_id: 77, status: 'running' } });
    });
    let answer = madeJob('model_download', {});
    await page.route('**/api/jobs/77', (route) => {
      if (answer.status === 'running') answer = { ...answer, done: answer.done + 500_000 };
      return route.fulfill({ json: answer });
    });
    await page.reload();
    await card(other.name).getByText('Not known, so there is no permission').waitFor();
    await card(other.name).getByRole('button', { name: 'Download' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByRole('button', { name: 'Download' }).isDisabled()).toBe(true);
    await expectAccessible(page);
    await dialog.getByText('I have read the license').click();
    await dialog.getByRole('button', { name: 'Download' }).click();
    await page.getByText(/per second$/).waitFor();
    expect(new URL(asked).searchParams.get('accept_license')).toBe('true');
    await expectAccessible(page);
    await page.reload();
    await page.getByRole('link', { name: /is being downloaded/ }).waitFor();
    answer = madeJob('model_download', { status: 'failed', error: 'The digest does not match.' });
    await page.getByRole('status').getByText('The digest does not match.').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Close' }).click();
    await page.unroute('**/api/jobs/77');
    browser.expectNoFaults();
  });

  test('an activation first says what it does, and offers the way back', async () => {
    const fresh = { ...other, name: 'fresh', status: 'downloaded' };
    await listModels(fresh);
    await page.route('**/api/models/900/activation*', (route) => route.fulfill({ json: PLAN }));
    let refusals = 1;
    await page.route('**/api/models/900/activate', (route) => {
      if (refusals-- > 0) {
        return route.fulfill({
          status: 409,
          contentType: 'application/problem+json',
          json: problem('in_progress', 409),
        });
      }
      return route.fulfill({ status: 202, json: { job_id: 77, status: 'running' } });
    });
    let answer = madeJob('activate_model', { unit: 'images', total: 4_100, done: 41 });
    await page.route('**/api/jobs/77', (route) => route.fulfill({ json: answer }));
    await page.reload();
    await card('fresh').getByRole('button', { name: 'Activate' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('812,000').waitFor();
    await dialog.getByText('Matching pauses after the switch.').waitFor();
    await dialog.getByText('The free space may not be enough.').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Activate' }).click();
    await dialog.getByText('Another activation is in progress.').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Activate' }).click();
    await page.getByText('41 of 4,100').waitFor();
    await page.getByRole('link', { name: /The current model keeps serving\.$/ }).waitFor();
    await expectAccessible(page);
    await listModels({ ...fresh, active: true });
    answer = { ...answer, status: 'done', done: 4_100 };
    await page.getByRole('button', { name: /^Back to/ }).waitFor();
    await expectAccessible(page);
    browser.expectNoFaults(/status of 409/);
  });

  test('the reason of an activation that failed is shown', async () => {
    await listModels({ ...other, name: 'fresh', status: 'downloaded' });
    const failed = madeJob('activate_model', {
      status: 'failed',
      error: 'The model cannot be loaded.',
    });
    await page.route('**/api/jobs/77', (route) => route.fulfill({ json: failed }));
    await page.goto(`/console/${curator.environment}/models?model=900&job=77`);
    await page.getByText('The previous model keeps serving. The model cannot be loaded.').waitFor();
    browser.expectNoFaults();
  });

  test('a list that cannot be read says so', async () => {
    await page.unroute('**/api/models?*');
    await page.route('**/api/models?*', (route) => route.abort(), { times: 4 });
    await page.goto(`/console/${curator.environment}/models?model=x&job=-1`);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('region', { name: 'Faces' }).waitFor();
    browser.expectNoFaults(/ERR_FAILED/);
  });
});

function problem(code: string, status: number): object {
  const detail = 'Another model is being activated.';
  return { type: 'about:blank', title: code, status, detail, code, request_id: randomUUID() };
}
