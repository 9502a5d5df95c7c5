import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { BrowserContext, Page } from 'playwright-core';
import { freshPhoto } from '../support/fixtures/draw-photo.ts';
import { ok } from '../support/services/ok.ts';
import { sharedService, type SharedService } from '../support/services/shared-service.ts';
import { createCurator, type Curator, signIn } from './support/curator.ts';
import { describeWithChromium } from './support/describe-with-chromium.ts';
import { eventually } from '../support/waits/eventually.ts';
import { expectAccessible, TestBrowser } from './support/open-browser.ts';

describeWithChromium('changes by others in the console', () => {
  let resources: AsyncDisposableStack;
  let service: SharedService;
  let browser: TestBrowser;
  let curator: Curator;
  let page: Page;

  beforeAll(async () => {
    resources = new AsyncDisposableStack();
    service = resources.use(await sharedService('standalone'));
    browser = resources.use(await TestBrowser.open(service.url));
    curator = await createCurator(service);
    page = await browser.openPage();
    await page.goto(`/console/${curator.environment}/images`);
    await signIn(page, curator);
    await page.getByText('There are no images yet').waitFor();
    browser.expectNoFaults(/status of 401/);
  });
  afterAll(() => resources.disposeAsync());

  const upload = async (reference: string, face: string) =>
    ok(
      await curator.client.detectFaces({
        body: { file: await freshPhoto({ faces: [face] }), external_ref: reference },
      }),
    ).faces[0]!.detection_id;
  const waiting = (count: string) =>
    page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: `Review ${count}` });
  const cell = (name: string) => page.getByRole('gridcell', { name });

  test('counts follow at once, and a list stays still until the person asks for what is new', async () => {
    await upload('one', 'Ada');
    await page.getByRole('status').getByText('1 new').waitFor();
    await waiting('1').waitFor();
    expect(await page.getByRole('gridcell').count()).toBe(0);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Show' }).click();
    await cell('one').waitFor();
    await upload('two', 'Bo');
    await page.getByRole('status').getByText('1 new').waitFor();
    expect(await page.getByRole('gridcell').count()).toBe(1);
    await page.getByRole('button', { name: 'Show' }).click();
    await cell('two').waitFor();
    await page.getByText('1 new').waitFor({ state: 'detached' });
    browser.expectNoFaults();
  });

  test('two people see what the other one decides', async () => {
    const colleague = await browser.openPage();
    await colleague.goto(`/console/${curator.environment}/people`);
    await signIn(colleague, curator);
    await colleague.getByText('There are no people yet').waitFor();
    browser.expectNoFaults(/status of 401/);
    await page.goto(`/console/${curator.environment}/review?tab=open`);
    await page.getByRole('heading', { name: 'Who is this?' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('combobox').fill('Ada');
    await page.getByRole('option', { name: 'Ada' }).waitFor();
    await page.keyboard.press('Enter');
    await colleague.getByRole('status').getByText('1 new').waitFor();
    await colleague.getByRole('link', { name: 'Review 1' }).waitFor();
    await colleague.getByRole('button', { name: 'Show' }).click();
    await colleague.getByRole('row', { name: /Ada/ }).waitFor();
    await colleague.context().close();
    browser.expectNoFaults();
  });

  test('one tab of a browser waits for changes, and another goes on when it is closed', async () => {
    const waits = pagesThatWait(page.context());
    await page.goto(`/console/${curator.environment}/images`);
    await cell('two').waitFor();
    await eventually(() => Promise.resolve(waits.has(page)), true);
    const second = await page.context().newPage();
    await second.goto(`/console/${curator.environment}/images`);
    await second.getByRole('gridcell', { name: 'two' }).waitFor();
    await upload('three', 'Eve');
    await second.getByRole('status').getByText('1 new').waitFor();
    expect(waits.has(second)).toBe(false);
    await page.close();
    await upload('four', 'Fay');
    await second.getByRole('status').getByText('2 new').waitFor();
    browser.expectNoFaults();
  });
});

/** The pages that ask for changes. */
function pagesThatWait(context: BrowserContext): ReadonlySet<Page> {
  const pages = new Set<Page>();
  context.on('request', (request) => {
    if (!/changes\?since=\d/.test(request.url())) return;
    pages.add(request.frame().page());
  });
  return pages;
}
