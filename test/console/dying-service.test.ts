import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { freePort } from '@sightline/dev-platform/free-port';
import type { Page } from 'playwright-core';
import { drawPhoto, freshPhoto } from '../support/fixtures/draw-photo.ts';
import { preparedData } from '../support/fixtures/temporary-data.ts';
import { ok } from '../support/services/ok.ts';
import { type RunningStandalone, startStandalone } from '../support/services/running-standalone.ts';
import { builtConsole } from './support/built-console.ts';
import { createCurator, type Curator, signIn } from './support/curator.ts';
import { describeWithChromium } from './support/describe-with-chromium.ts';
import { eventually } from '../support/waits/eventually.ts';
import { TestBrowser } from './support/open-browser.ts';

const PEOPLE = ['Ada', 'Bo', 'Cy', 'Dee', 'Eve'];
const LOOKS = [2, 3, 4, 5];
const FACES = PEOPLE.length * LOOKS.length;
/** The pause between two decisions of a fast person, in ms. */
const PAUSE_MS = 200;

describeWithChromium('the review while the service dies', () => {
  let resources: AsyncDisposableStack;
  let settings: Record<string, string>;
  let service: RunningStandalone;
  let browser: TestBrowser;
  let curator: Curator;
  let page: Page;

  beforeAll(async () => {
    resources = new AsyncDisposableStack();
    const data = resources.use(await preparedData());
    settings = {
      SIGHTLINE_CONSOLE_DIR: await builtConsole(),
      SIGHTLINE_DATA: data.path,
      SIGHTLINE_PORT: String(await freePort()),
    };
    await start();
    browser = resources.use(await TestBrowser.open(service.url));
    curator = await createCurator(service);
  });
  afterAll(() => resources.disposeAsync());

  async function start(): Promise<void> {
    service = resources.use(await startStandalone(settings));
  }

  const waiting = async () =>
    ok(await curator.client.countReviewQueue({ query: { has_suggestion: true } })).count;

  test('each decision is carried out once, although the process is killed in the middle', async () => {
    for (const name of PEOPLE) {
      const file = await drawPhoto({ faces: [name], comment: 'reference' });
      ok(await curator.client.enrollFace({ body: { name, file } }));
    }
    for (const look of LOOKS) {
      const file = await freshPhoto({ faces: PEOPLE.map((name) => `${name} ${look}`) });
      ok(await curator.client.detectFaces({ body: { file } }));
    }
    expect(await waiting()).toBe(FACES);
    page = await browser.openPage();
    await page.goto(`/console/${curator.environment}/review`);
    await signIn(page, curator);
    await page.getByRole('list', { name: 'People who look alike' }).waitFor();
    const killed = 8;
    for (let decided = 0; decided < FACES; decided++) {
      await page.keyboard.press('Enter');
      await page.waitForTimeout(PAUSE_MS);
      if (decided === killed) await service.kill();
    }
    await page.getByText('Nothing waits here').waitFor();
    await page.getByText(/The service does not answer\. \d+ decisions? waits?/).waitFor();
    await start();
    await page.getByRole('button', { name: 'Send now' }).click();
    // The request that the process was killed over has its key for the rest of a lease.
    await eventually(waiting, 0);
    const { items } = ok(await curator.client.listOperations({ query: { limit: 200 } }));
    expect(items.filter(({ kind }) => kind === 'review')).toHaveLength(FACES);
    browser.expectNoFaults(/status of (401|409|5\d\d)/, /ERR_/);
  });
});
