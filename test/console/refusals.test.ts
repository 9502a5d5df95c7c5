import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Locator, Page, Route } from 'playwright-core';
import { ok } from '../support/services/ok.ts';
import { sharedService } from '../support/services/shared-service.ts';
import { type Administrator, createAdministrator } from './support/administrator.ts';
import { describeWithChromium } from './support/describe-with-chromium.ts';
import { madeJob } from './support/made-job.ts';
import { TestBrowser } from './support/open-browser.ts';
import { openSignedIn } from './support/open-signed-in.ts';
import { answerProblem, ENDED, type MadeProblem } from './support/problem-answer.ts';

const REFUSALS: readonly MadeProblem[] = [
  { status: 409, code: 'changed_since', detail: 'Another person has changed it.' },
  { status: 429, code: 'too_many_requests', detail: 'Too many requests arrive.', retryAfter: 1 },
  { status: 503, code: 'overloaded', detail: 'The service has too much to do.' },
];
/** A request that changes something, with its place in the console. */
interface Write {
  readonly name: string;
  readonly address: string;
  readonly method: string;
  /** The path of the request, without the origin. */
  readonly path: RegExp;
  /** Opens the dialog, if there is one, and fills the form. */
  readonly fill: () => Promise<void>;
  readonly submit: () => Locator;
  /** The inputs whose values must stay. */
  readonly inputs?: () => readonly Locator[];
  /** An answer instead of that of the service, whose state other suites share. */
  readonly answer?: object;
  /** Waits for the sign of success. */
  readonly done: () => Promise<unknown>;
}

describeWithChromium('writes that the service refuses', () => {
  let resources: AsyncDisposableStack;
  let browser: TestBrowser;
  let owner: Administrator;
  let page: Page;
  const email = `colleague-${randomUUID()}@example.org`;
  const addresses = new Map<string, string>();

  beforeAll(async () => {
    resources = new AsyncDisposableStack();
    const service = resources.use(await sharedService('standalone'));
    browser = resources.use(await TestBrowser.open(service.url));
    owner = await createAdministrator(service);
    await seed();
    page = await openSignedIn(browser, owner);
  });
  afterAll(() => resources.disposeAsync());
  beforeEach(async () => {
    await page.unrouteAll();
  });

  const seed = async () => {
    const headers = { 'X-Environment-Id': String(owner.environment) };
    ok(await owner.client.createUser({ body: { email, is_admin: false } }));
    const body = { url: 'https://hooks.example.org/seeded', label: 'Seeded', events: [] };
    const { id } = ok(await owner.client.registerWebhook({ body, headers }));
    addresses.set('webhook', `/webhooks/${id}`);
    const key = { label: 'Camera', type: 'read', environment_id: owner.environment } as const;
    ok(await owner.client.createKey({ body: key }));
  };
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const dialog = () => page.getByRole('dialog');
  const inDialog = (name: string) => dialog().getByRole('button', { name, exact: true });
  const field = (label: string) => page.getByLabel(label, { exact: true });
  const said = (text: string) => page.getByRole('status').getByText(text).first().waitFor();
  const closed = () => dialog().waitFor({ state: 'detached' });
  const threshold = () => page.getByRole('region', { name: 'Name a face from', exact: true });
  const download = { status: 202, json: { job_id: 77, status: 'running' } };
  const downloading = madeJob('model_download', {});

  const writes: readonly Write[] = [
    {
      name: 'a setting is saved',
      address: '/settings',
      method: 'PUT',
      path: /^\/api\/settings\/face\.match_threshold$/,
      fill: () => threshold().getByRole('textbox').fill('0.62'),
      submit: () => threshold().getByRole('button', { name: 'Save Name a face from' }),
      inputs: () => [threshold().getByRole('textbox')],
      done: () => said('Saved: Name a face from'),
    },
    {
      name: 'a webhook is registered',
      address: '/webhooks',
      method: 'POST',
      path: /^\/api\/webhooks$/,
      fill: async () => {
        await button('Webhook').click();
        await field('Address').fill('https://hooks.example.org/new');
        await field('Label').fill('Front door');
      },
      submit: () => inDialog('Save'),
      inputs: () => [field('Address'), field('Label')],
      done: () => inDialog('Done').click(),
    },
    {
      name: 'a webhook is changed',
      address: 'webhook',
      method: 'PUT',
      path: /^\/api\/webhooks\/\d+$/,
      fill: async () => {
        await button('Change').click();
        await field('Label').fill('Side door');
      },
      submit: () => inDialog('Save'),
      inputs: () => [field('Label')],
      done: closed,
    },
    {
      name: 'a webhook is deleted',
      address: 'webhook',
      method: 'DELETE',
      path: /^\/api\/webhooks\/\d+$/,
      fill: () => button('Delete').click(),
      submit: () => inDialog('Delete'),
      done: closed,
    },
    {
      name: 'an account is created',
      address: '/users',
      method: 'POST',
      path: /^\/api\/account\/users$/,
      fill: async () => {
        await button('User').click();
        await field('E-mail address').fill(`new-${email}`);
        await field('Name').fill('New Colleague');
      },
      submit: () => inDialog('Create'),
      inputs: () => [field('E-mail address'), field('Name')],
      done: () => inDialog('Done').click(),
    },
    {
      name: 'an account is disabled',
      address: '/users',
      method: 'PATCH',
      path: /^\/api\/account\/users\/[^/]+$/,
      fill: () => button(`Disable: ${email}`).click(),
      submit: () => inDialog('Disable'),
      done: closed,
    },
    {
      name: 'an environment is created',
      address: '/environments',
      method: 'POST',
      path: /^\/api\/account\/environments$/,
      fill: async () => {
        await button('Environment').click();
        await field('Name').fill('Second');
      },
      submit: () => inDialog('Create'),
      inputs: () => [field('Name')],
      done: () => page.getByRole('row', { name: /^Second/ }).waitFor(),
    },
    {
      name: 'a member is invited',
      address: '/environments',
      method: 'POST',
      path: /^\/api\/account\/environments\/\d+\/invitations$/,
      fill: async () => {
        await button('Members: Office').click();
        await field('E-mail address').fill(`guest-${email}`);
      },
      submit: () => button('Invite'),
      inputs: () => [field('E-mail address')],
      done: () => inDialog('Close').click(),
    },
    {
      name: 'a profile is saved',
      address: '/account',
      method: 'PATCH',
      path: /^\/api\/account\/me$/,
      fill: () => field('Name').fill('A new name'),
      submit: () => button('Save'),
      inputs: () => [field('Name')],
      done: () => said('Saved'),
    },
    {
      name: 'a key is created',
      address: '/account',
      method: 'POST',
      path: /^\/api\/account\/keys$/,
      fill: async () => {
        await button('Create a key').click();
        await field('Label').fill('Turnstile');
      },
      submit: () => inDialog('Create a key'),
      inputs: () => [field('Label')],
      done: () => inDialog('Done').click(),
    },
    {
      name: 'a key is revoked',
      address: '/account',
      method: 'DELETE',
      path: /^\/api\/account\/keys\/\d+$/,
      fill: () => button('Revoke the key Camera').click(),
      submit: () => inDialog('Revoke'),
      done: closed,
    },
    {
      name: 'a model is downloaded',
      address: '/models',
      method: 'POST',
      path: /^\/api\/models\/900\/download$/,
      fill: async () => {
        await button('Download: other').click();
        await dialog().getByText('I have read the license').click();
      },
      submit: () => inDialog('Download'),
      inputs: () => [dialog().getByRole('checkbox')],
      answer: download,
      done: closed,
    },
  ];

  test.each(writes)(
    '$name: each refusal is shown, nothing is lost, and it is done once',
    async (write) => {
      await page.route('**/api/models?*', listAnotherModel);
      await page.route('**/api/jobs/77', (route) => route.fulfill({ json: downloading }));
      const answers: (MadeProblem | null)[] = [];
      const keys: (string | undefined)[] = [];
      await page.route(
        (url) => write.path.test(url.pathname),
        (route) => {
          if (route.request().method() !== write.method) return route.fallback();
          keys.push(route.request().headers()['idempotency-key']);
          const problem = answers.shift() ?? null;
          if (problem !== null) return answerProblem(route, problem);
          return write.answer === undefined ? route.continue() : route.fulfill(write.answer);
        },
      );
      const address = addresses.get(write.address) ?? write.address;
      await page.goto(`/console/${owner.environment}${address}`);
      await write.fill();
      const before = await contentOf(write);
      for (const refusal of REFUSALS) {
        answers.push(refusal);
        await write.submit().click();
        await page.getByText(refusal.detail).first().waitFor();
        expect(await contentOf(write)).toEqual(before);
        expect(await write.submit().isEnabled()).toBe(true);
      }
      answers.push(ENDED);
      await write.submit().click();
      await signInAgain();
      expect(await contentOf(write)).toEqual(before);
      await write.submit().click();
      await write.done();
      expect(keys).toHaveLength(REFUSALS.length + 2);
      // The service may have carried out the request that failed, so its retry has the same key.
      if (keys[0] !== undefined) expect(keys[3]).toBe(keys[2]);
      browser.expectNoFaults(/status of (401|409|429|503)/);
    },
  );

  const contentOf = ({ inputs }: Write) =>
    Promise.all(
      (inputs?.() ?? []).map(async (input) =>
        (await input.getAttribute('type')) === 'checkbox' ? input.isChecked() : input.inputValue(),
      ),
    );
  const signInAgain = async () => {
    const over = page.getByRole('dialog', { name: 'Your session has ended' });
    await over.getByLabel('Password').fill(owner.password);
    await over.getByRole('button', { name: 'Sign in' }).click();
    await over.waitFor({ state: 'detached' });
  };
});

/** The models of the shared service serve other suites. */
async function listAnotherModel(route: Route): Promise<void> {
  const body = (await (await route.fetch()).json()) as { items: object[] };
  const other = { id: 900, name: 'other', task: 'face', status: 'available', active: false };
  const added = { ...body.items[0], ...other, source_url: 'https://example.org/pack.zip' };
  await route.fulfill({ json: { ...body, items: [...body.items, added] } });
}
