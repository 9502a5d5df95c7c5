import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { openWebhookSink, type WebhookSink } from '../support/servers/webhook-sink.ts';
import { ok } from '../support/services/ok.ts';
import { sharedService } from '../support/services/shared-service.ts';
import { createCurator, type Curator, signIn } from './support/curator.ts';
import { describeWithChromium } from './support/describe-with-chromium.ts';
import { expectAccessible, TestBrowser } from './support/open-browser.ts';

/** A label that shows whether texts of people are taken for markup or break the lines. */
const HOSTILE = '<script>alert(1)</script> خطاف 🪝';

describeWithChromium('the webhooks of the console', () => {
  let resources: AsyncDisposableStack;
  let browser: TestBrowser;
  let curator: Curator;
  let page: Page;
  let sink: WebhookSink;
  let status = 204;
  let secret: string;

  beforeAll(async () => {
    resources = new AsyncDisposableStack();
    const service = resources.use(await sharedService('standalone'));
    sink = resources.use(await openWebhookSink(() => ({ status })));
    browser = resources.use(await TestBrowser.open(service.url));
    curator = await createCurator(service);
    page = await browser.openPage();
    await page.goto(`/console/${curator.environment}/webhooks`);
    await signIn(page, curator);
    browser.expectNoFaults(/status of 401/);
  });
  afterAll(() => resources.disposeAsync());

  const said = (text: RegExp | string) => page.getByRole('status').getByText(text).waitFor();
  const button = (name: RegExp | string) => page.getByRole('button', { name });
  const dialog = () => page.getByRole('dialog');

  test('an empty list says what belongs here, and a wrong address stands beside its input', async () => {
    await page.getByText('There are no webhooks yet').waitFor();
    await expectAccessible(page);
    await page.locator('body').press('n');
    await dialog().getByLabel('Address').fill('ftp://example.org');
    await expectAccessible(page);
    await dialog().getByRole('button', { name: 'Save' }).click();
    await dialog().locator('[slot=errorMessage]').waitFor();
    await dialog().getByLabel('Address').fill('http://169.254.169.254/latest');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await dialog().locator('[slot=errorMessage]').getByText(/./).waitFor();
    await expectAccessible(page);
    browser.expectNoFaults(/status of 4\d\d/);
  });

  test('a webhook is registered with chosen events, and its secret is shown once', async () => {
    await dialog().getByLabel('Address').fill(sink.url);
    await dialog().getByLabel('Label').fill(HOSTILE);
    await dialog().getByText('All events').click();
    await dialog().getByText('A face or object was found').click();
    await expectAccessible(page);
    await dialog().getByRole('button', { name: 'Save' }).click();
    secret = await dialog().locator('pre').innerText();
    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
    await expectAccessible(page);
    await dialog().getByRole('button', { name: 'Done' }).click();
    await page.getByRole('link', { name: HOSTILE }).waitFor();
    expect(await page.content()).not.toContain(secret);
    const { items } = ok(await curator.client.listWebhooks());
    expect(items).toMatchObject([{ label: HOSTILE, has_secret: true, url: sink.url }]);
    expect(items[0]!.events).not.toContain('detection.created');
    await page.getByText('No attempt yet').waitFor();
    await expectAccessible(page);
    browser.expectNoFaults();
  });

  test('a test is sent, and its answer and message are shown', async () => {
    await page.getByRole('link', { name: HOSTILE }).click();
    await page.getByText('No message has been sent to it yet.').waitFor();
    await button('Send a test').click();
    await said(/answered with 204/);
    await page.getByRole('row', { name: /^ping/ }).waitFor();
    status = 500;
    await button('Send a test').click();
    await said(/answered with 500/);
    await page.getByRole('row', { name: /^ping.*500/ }).waitFor();
    await expectAccessible(page);
    await page.getByRole('tab', { name: 'Python' }).click();
    await page.getByText('def is_genuine').waitFor();
    expect(new URL(page.url()).searchParams.get('code')).toBe('python');
    browser.expectNoFaults();
  });

  test('messages of events are shown and sent again', async () => {
    status = 204;
    const before = sink.received.length;
    ok(await curator.client.createIdentity({ body: { label: HOSTILE, type: 'face' } }));
    await sink.until(before + 1);
    const row = page.getByRole('row', { name: /^identity.created/ });
    await row.getByRole('button', { name: /^Show/ }).click();
    const message = page.getByRole('region', { name: /^Message of attempt/ });
    expect(JSON.parse(await message.locator('pre').innerText())).toMatchObject({
      event: 'identity.created',
      data: { label: HOSTILE },
    });
    await expectAccessible(page);
    await row.getByRole('button', { name: /^Send again/ }).click();
    await said('The message is sent within seconds.');
    const [first, second] = (await sink.until(before + 2)).slice(before);
    expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id']);
    await page.getByRole('tab', { name: 'Node.js' }).click();
    const code = page.getByRole('tabpanel').locator('pre');
    await code.getByText('timingSafeEqual').waitFor();
    const { isGenuine } = (await import(
      `data:text/javascript,${encodeURIComponent(await code.innerText())}`
    )) as { isGenuine: (body: Buffer, headers: object, secret: string) => boolean };
    expect(isGenuine(first!.body, first!.headers, secret)).toBe(true);
    expect(isGenuine(Buffer.from('{}'), first!.headers, secret)).toBe(false);
    browser.expectNoFaults();
  });

  test('a new secret, other events, off and on', async () => {
    await button('New secret').click();
    await dialog().getByText('For 24 hours').waitFor();
    await dialog().getByRole('button', { name: 'Generate a secret' }).click();
    await dialog().locator('pre').waitFor();
    await dialog().getByRole('button', { name: 'Done' }).click();
    await button('Change').click();
    await dialog().getByText('All events').click();
    await dialog().getByRole('button', { name: 'Save' }).click();
    await said('The webhook was changed.');
    await button('Switch off').click();
    await page.getByText('Switched off. No messages are sent.').waitFor();
    await expectAccessible(page);
    await button('Switch on again').click();
    await said(/receives events from now on/);
    browser.expectNoFaults();
  });

  test('one that was deleted in another tab is no longer there', async () => {
    await button('Delete').click();
    await expectAccessible(page);
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    const { items } = ok(await curator.client.listWebhooks());
    ok(await curator.client.deleteWebhook({ path: { id: items[0]!.id } }));
    await button('Send a test').click();
    await page.getByRole('alert').getByText('It no longer exists.').waitFor();
    await page.reload();
    await page.getByText('The webhook was deleted.').waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'All webhooks' }).click();
    await page.getByText('There are no webhooks yet').waitFor();
    browser.expectNoFaults(/status of 404/);
  });

  test('members who are no owners are told which right they need', async () => {
    await page.route('**/api/webhooks?*', (route) =>
      route.fulfill({
        status: 403,
        contentType: 'application/problem+json',
        json: { status: 403, code: 'forbidden', detail: 'No.', title: 'No', request_id: 'x' },
      }),
    );
    await page.reload();
    await page.getByText('Only owners of the environment see and change webhooks.').waitFor();
    await expectAccessible(page);
    browser.expectNoFaults(/status of 403/);
  });
});
