import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { freshPhoto } from '../support/fixtures/draw-photo.ts';
import { ok } from '../support/services/ok.ts';
import { sharedService, type SharedService } from '../support/services/shared-service.ts';
import { createCurator, type Curator, signIn } from './support/curator.ts';
import { describeWithChromium } from './support/describe-with-chromium.ts';
import { eventually } from '../support/waits/eventually.ts';
import { expectAccessible, TestBrowser } from './support/open-browser.ts';

const MIXED = 'أحمد 👩‍🚀 O’Neil';

describeWithChromium('the unknown faces of the console', () => {
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
    await page.goto(`/console/${curator.environment}/unknown`);
    await signIn(page, curator);
    browser.expectNoFaults(/status of 401/);
  });
  afterAll(() => resources.disposeAsync());

  const store = async (...faces: string[]) => {
    const file = await freshPhoto({ faces });
    const { faces: found } = ok(await curator.client.detectFaces({ body: { file } }));
    return found.map(({ detection_id: id }) => id);
  };
  const sizes = async () =>
    ok(await curator.client.listClusters({ query: {} })).clusters.map(({ size }) => size);
  const open = async (search = '') => {
    await page.goto(`/console/${curator.environment}/unknown${search}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
  };
  const group = (number: number) => page.getByRole('region', { name: `Group ${number}` });
  const pick = async (name: string) => {
    await page.getByRole('combobox').fill(name);
    await page.getByRole('option', { name }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
  };

  test('without groups the page says what belongs there', async () => {
    await page.getByText('No groups').waitFor();
    await expectAccessible(page);
    browser.expectNoFaults();
  });

  test('a group is named by keyboard alone, without the face that was taken out', async () => {
    for (const look of ['', ' 2', ' 3', ' 4']) await store(`Ada${look}`);
    for (const look of ['', ' 2', ' 3']) await store(`Bo${look}`);
    for (const look of ['', ' 2']) await store(`Cy${look}`);
    await eventually(sizes, [4, 3, 2]);
    await open();
    await group(3).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Space');
    await group(1).getByText('1 taken out').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Who are these 3 faces?' }).waitFor();
    await page.getByText('The 1 face taken out is not this person').click();
    await expectAccessible(page);
    await pick(MIXED);
    await page.getByRole('status').getByText(`3 faces named ${MIXED}`).waitFor();
    await group(1).getByText('3 faces', { exact: true }).waitFor();
    const { items } = ok(await curator.client.searchIdentities({ query: { q: MIXED } }));
    const path = { id: items[0]!.identity_id };
    expect(ok(await curator.client.listRejectedFaces({ path, query: {} })).items).toHaveLength(1);
    browser.expectNoFaults();
  });

  test('naming is taken back', async () => {
    await page.keyboard.press('z');
    await group(1).getByText('4 faces', { exact: true }).waitFor();
    // The page shows the group before its faces are in it again, and the next test opens the page again.
    await eventually(sizes, [4, 3, 2]);
    browser.expectNoFaults();
  });

  test('a group that is taken back returns among others, although its faces are in it only later', async () => {
    await open();
    await group(1).getByText('4 faces', { exact: true }).waitFor();
    await page.keyboard.press('i');
    await page.getByRole('status').getByText('4 faces ignored').waitFor();
    await eventually(sizes, [3, 2]);
    const earlier = ok(await curator.client.listClusters({ query: { items: 12 } }));
    const isList = /\/api\/clusters\?/;
    let lists = 0;
    await page.route(isList, (route) => {
      lists += 1;
      return route.fulfill({ json: earlier });
    });
    await page.keyboard.press('z');
    await eventually(sizes, [4, 3, 2]);
    await eventually(() => Promise.resolve(lists > 2), true);
    await group(1).getByText('3 faces', { exact: true }).waitFor();
    await page.unroute(isList);
    await group(1).getByText('4 faces', { exact: true }).waitFor();
    browser.expectNoFaults();
  });

  test('the same decision about the same group is carried out again after it was taken back', async () => {
    await open();
    await group(1).getByText('4 faces', { exact: true }).waitFor();
    for (let times = 0; times < 2; times++) {
      await page.keyboard.press('i');
      await page.getByRole('status').getByText('4 faces ignored').waitFor();
      await eventually(sizes, [3, 2]);
      await page.keyboard.press('z');
      await eventually(sizes, [4, 3, 2]);
      await group(1).getByText('4 faces', { exact: true }).waitFor();
    }
    browser.expectNoFaults();
  });

  test('a group that has changed is shown before it is named', async () => {
    await open();
    await group(1).getByText('4 faces', { exact: true }).waitFor();
    await store('Ada 5');
    await eventually(sizes, [5, 3, 2]);
    await page.keyboard.press('Enter');
    await pick('Ada');
    const dialog = page.getByRole('dialog', { name: 'This group has changed' });
    await dialog.getByText('1 face added').waitFor();
    await dialog.getByRole('img', { name: 'Face 1' }).waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Continue with 5 faces' }).press('Enter');
    await page.getByRole('status').getByText('5 faces named Ada').waitFor();
    browser.expectNoFaults(/status of 409/);
  });

  test('several groups get one name, and strangers are ignored', async () => {
    await open();
    await group(2).waitFor();
    await page.keyboard.press('c');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('c');
    await page.getByText('2 groups chosen').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('i');
    await page.getByRole('status').getByText('5 faces ignored').waitFor();
    await page.getByText('No groups').waitFor();
    await page.keyboard.press('z');
    await group(2).waitFor();
    await page.keyboard.press('c');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('c');
    await page.keyboard.press('Enter');
    await pick('Both');
    await page.getByRole('status').getByText('5 faces named Both').waitFor();
    browser.expectNoFaults();
  });

  test('the threshold divides the groups, and stays in the address', async () => {
    await store('Di');
    await store('Di 2');
    await eventually(sizes, [2]);
    await open();
    await group(1).waitFor();
    await page.getByRole('slider').focus();
    await page.keyboard.press('ArrowRight');
    await page.waitForURL(/threshold=0\.51/);
    for (let presses = 0; presses < 8; presses++) await page.keyboard.press(']');
    await page.waitForURL(/threshold=0\.91/);
    await page.getByText('No groups').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Remove the filter: Similarity 0.91' }).click();
    await group(1).waitFor();
    browser.expectNoFaults();
  });

  test('faces are named and ignored one by one', async () => {
    await open('?tab=faces');
    const rows = page.getByRole('grid', { name: 'Faces' }).getByRole('row');
    await rows.first().waitFor();
    await expectAccessible(page);
    const before = await rows.count();
    await rows.first().focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('v');
    await pick('Alone');
    await page.getByRole('status').getByText('1 face named Alone').waitFor();
    await rows.nth(before - 1).waitFor({ state: 'detached' });
    await open('?tab=faces&sort=newest');
    await rows.first().waitFor();
    browser.expectNoFaults();
  });
});
