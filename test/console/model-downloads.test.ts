import { afterAll, beforeAll, test } from '@jest/globals';
import {
  type Answer,
  PublishedServer,
  serving,
} from '@sightline/model-downloads/testing/published-server';
import type { Page } from 'playwright-core';
import { writeCatalog, zipOfToyFaces } from '../support/fixtures/published-pack.ts';
import { temporaryFolder } from '../support/fixtures/temporary-folder.ts';
import { modelId } from '../support/services/activate-model.ts';
import { type RunningStandalone, startStandalone } from '../support/services/running-standalone.ts';
import { type Administrator, createAdministrator } from './support/administrator.ts';
import { builtConsole } from './support/built-console.ts';
import { signIn } from './support/curator.ts';
import { describeWithChromium } from './support/describe-with-chromium.ts';
import { expectAccessible, TestBrowser } from './support/open-browser.ts';

/** The suite downloads models, so it has a service of its own. */
describeWithChromium('downloads of models', () => {
  let resources: AsyncDisposableStack;
  let server: PublishedServer;
  let service: RunningStandalone;
  let browser: TestBrowser;
  let administrator: Administrator;
  let page: Page;
  let zip: Uint8Array;

  beforeAll(async () => {
    resources = new AsyncDisposableStack();
    zip = await zipOfToyFaces('other');
    server = resources.use(await PublishedServer.start());
    const { path: folder } = resources.use(await temporaryFolder());
    const packs = [{ name: 'published', address: `${server.url}/pack.zip` }];
    const SIGHTLINE_MODEL_CATALOG = await writeCatalog(folder, packs);
    service = resources.use(
      await startStandalone({
        SIGHTLINE_CONSOLE_DIR: await builtConsole(),
        SIGHTLINE_MODEL_CATALOG,
        SIGHTLINE_CACHE: folder,
      }),
    );
    await modelId(service.client, 'published');
    browser = resources.use(await TestBrowser.open(service.url));
    administrator = await createAdministrator(service);
    page = await browser.openPage();
    await page.goto(`/console/${administrator.environment}/models`);
    await signIn(page, administrator);
    browser.expectNoFaults(/status of 401/);
  });
  afterAll(() => resources.disposeAsync());

  const card = (name: string) => page.getByRole('article', { name });
  const running = () => page.getByRole('region', { name: 'Running jobs' });
  const said = (text: string) =>
    page.getByRole('status').getByText(text, { exact: true }).waitFor();
  const confirm = (name: string) => page.getByRole('dialog').getByRole('button', { name }).click();
  const download = async () => {
    await card('published')
      .getByRole('button', { name: /^Download/ })
      .click();
    await page.getByText('I have read the license').click();
    await confirm('Download');
  };
  /** Sends a half, and the rest never. */
  const half: Answer = (_request, response) => {
    response.writeHead(200, { 'Content-Length': zip.length });
    response.write(zip.subarray(0, zip.length / 2));
  };

  test('a download shows its progress on every page, and is stopped', async () => {
    server.answers = [half];
    await download();
    await running()
      .getByText(/^[\d.]+ \w+ of [\d.]+ \w+$/)
      .waitFor();
    await card('published').getByText('Is being downloaded').waitFor();
    await expectAccessible(page);
    await page.reload();
    await page.getByRole('button', { name: 'Stop: published is being downloaded.' }).waitFor();
    await page.getByRole('link', { name: 'Overview' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await page.getByRole('button', { name: 'Stop: published is being downloaded.' }).click();
    await said('Stopped: published is being downloaded.');
    await page.getByRole('link', { name: 'Models' }).first().click();
    await card('published').getByText('Can be downloaded').waitFor();
    browser.expectNoFaults();
  });

  test('a download that was stopped begins again, and the model is there', async () => {
    server.answers = [serving(zip)];
    await download();
    await said('published is downloaded.');
    await card('published').getByText('Downloaded', { exact: true }).waitFor();
    browser.expectNoFaults();
  });
});
