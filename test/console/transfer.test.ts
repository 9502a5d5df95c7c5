import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { drawPhoto } from '../support/fixtures/draw-photo.ts';
import { readArchive } from '../support/fixtures/read-archive.ts';
import { ok } from '../support/services/ok.ts';
import { sharedService, type SharedService } from '../support/services/shared-service.ts';
import { signedIn } from '../support/services/signed-in.ts';
import { createCurator, type Curator } from './support/curator.ts';
import { describeWithChromium } from './support/describe-with-chromium.ts';
import { expectAccessible, TestBrowser } from './support/open-browser.ts';
import { openSignedIn } from './support/open-signed-in.ts';
import { answerProblem } from './support/problem-answer.ts';
import { sidewaysScroll } from './support/visit-page.ts';

/** A label that shows whether texts of people are taken for markup, and that mixes directions. */
const HOSTILE = '<img src=x onerror=alert(1)> أحمد 📚';

describeWithChromium('export and import in the console', () => {
  let resources: AsyncDisposableStack;
  let service: SharedService;
  let browser: TestBrowser;
  let curator: Curator;
  let page: Page;
  /** The archive that the first test saves. */
  let archive: Buffer;

  beforeAll(async () => {
    resources = new AsyncDisposableStack();
    service = resources.use(await sharedService('standalone'));
    browser = resources.use(await TestBrowser.open(service.url));
    curator = await createCurator(service);
    for (const [name, face] of [[HOSTILE, 'Ada'] as const, ['Bo', 'Bo'] as const]) {
      const file = await drawPhoto({ faces: [face], comment: face });
      ok(await curator.client.enrollFace({ body: { name, file } }));
    }
    page = await openSignedIn(browser, curator);
  });
  afterAll(() => resources.disposeAsync());

  const open = async (environment = curator.environment, of = page) => {
    await of.goto(`/console/${environment}/jobs`);
    await of.getByRole('heading', { level: 1 }).waitFor();
  };
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const dialog = () => page.getByRole('dialog');
  const confirm = (name: string) => dialog().getByRole('button', { name, exact: true }).click();
  const chooseFile = (name: string, buffer: Buffer) =>
    page.locator('input[type=file]').setInputFiles({ name, mimeType: 'application/zip', buffer });

  test('certain people are exported by keys, and the archive is saved from the page of its job', async () => {
    await open();
    await button('Export').and(page.locator(':enabled')).waitFor();
    await page.keyboard.press('e');
    await expectAccessible(page);
    await dialog()
      .getByRole('button', { name: /What goes in/ })
      .click();
    await page.getByRole('option', { name: 'Only certain people and objects' }).click();
    const start = dialog().getByRole('button', { name: 'Start the export' });
    expect(await start.isDisabled()).toBe(true);
    await dialog().getByRole('combobox', { name: 'Add a person' }).fill('Bo');
    await page.getByRole('option', { name: 'Bo' }).click();
    await dialog().getByRole('button', { name: 'Take out Bo' }).click();
    await dialog().getByRole('combobox', { name: 'Add a person' }).fill('img');
    await page.getByRole('option', { name: HOSTILE }).click();
    await dialog()
      .getByRole('button', { name: `Take out ${HOSTILE}` })
      .waitFor();
    await expectAccessible(page);
    await start.click();
    await page.getByRole('heading', { name: /^Export \d+$/, level: 1 }).waitFor();
    await page.getByRole('status').getByText('The archive is ready.').waitFor();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save the archive' }).click();
    const download = await saved;
    expect(download.suggestedFilename()).toMatch(/^sightline-export-\d+\.zip$/);
    archive = await readFile(await download.path());
    const { head, identities, images } = await readArchive(archive);
    expect(head.whole).toBe(false);
    expect(identities.map(({ label }) => label)).toEqual([HOSTILE]);
    expect(images).toHaveLength(1);
    await expectAccessible(page);
    browser.expectNoFaults();
  });

  test('an archive is imported into another environment, whose people open, and the numbers are shown', async () => {
    const { client } = await signedIn(service, curator);
    const { id } = ok(await client.createEnvironment({ body: { name: 'Other' } }));
    await open(id);
    await button('Import').and(page.locator(':enabled')).waitFor();
    await page.keyboard.press('i');
    await dialog().getByText('No file is chosen.').waitFor();
    await chooseFile('<b>no</b>.zip', Buffer.from('no archive at all'));
    await dialog().getByText('<b>no</b>.zip').waitFor();
    await confirm('Start the import');
    await dialog().getByRole('alert').waitFor();
    await expectAccessible(page);
    await chooseFile('archive.zip', archive);
    await dialog().getByRole('alert').waitFor({ state: 'detached' });
    await confirm('Start the import');
    await page.getByRole('heading', { name: /^Import \d+$/, level: 1 }).waitFor();
    await page.getByRole('status').getByText('The archive was imported.').waitFor();
    const counts = page.getByRole('region', { name: 'What was imported' });
    await counts.getByText('New people and named objects').locator('..').getByText('1').waitFor();
    await expectAccessible(page);
    await page.goto(`/console/${id}/people`);
    await page.getByRole('gridcell', { name: HOSTILE }).waitFor();
    browser.expectNoFaults(/status of 4\d\d/);
  });

  test('a refused start says why and keeps the choice, and a closed dialog stops the upload', async () => {
    await open();
    await page.route('**/api/export?*', (route) =>
      answerProblem(route, { status: 409, code: 'too_many_jobs', detail: 'There are 100 jobs.' }),
    );
    await button('Export').click();
    await confirm('Start the export');
    await dialog().getByRole('alert').getByText('There are 100 jobs.').waitFor();
    await page.unroute('**/api/export?*');
    await confirm('Cancel');
    const aborted = page.waitForEvent('requestfailed');
    await page.route('**/api/import?*', () => undefined);
    await button('Import').click();
    await chooseFile('archive.zip', archive);
    await confirm('Start the import');
    await dialog().getByText('The archive is being uploaded').waitFor();
    await expectAccessible(page);
    await confirm('Cancel');
    expect((await aborted).url()).toContain('/api/import');
    await dialog().waitFor({ state: 'detached' });
    await page.unrouteAll();
    browser.expectNoFaults(/status of 409/);
  });

  test('a viewer is told which role it takes, also in German and in a narrow window', async () => {
    const email = `viewer-${randomUUID()}@example.org`;
    const password = 'a password of my own';
    const owner = await signedIn(service, curator);
    const path = { id: curator.environment };
    const invitation = { email, role: 'viewer' } as const;
    const { url } = ok(await owner.client.createInvitation({ path, body: invitation }));
    const accepted = await fetch(`${service.url}/api/auth/invitations/accept`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin' },
      body: JSON.stringify({ token: url.split('#')[1], password, name: 'Viewer' }),
    });
    expect(accepted.status).toBe(200);
    const viewed = await openSignedIn(
      browser,
      { email, password },
      { locale: 'de-DE', viewport: { width: 320, height: 640 } },
    );
    await open(curator.environment, viewed);
    const reason = viewed.getByText('Archive exportieren und importieren können Bearbeiter');
    await reason.waitFor();
    expect(await viewed.getByRole('button', { name: /^(Exp|Imp)ortieren/ }).count()).toBe(0);
    await viewed.getByRole('link', { name: /^Export \d/ }).click();
    await reason.waitFor();
    expect(await viewed.getByRole('button', { name: 'Archiv speichern' }).count()).toBe(0);
    await expectAccessible(viewed);
    expect(await sidewaysScroll(viewed)).toBeLessThanOrEqual(0);
    await viewed.context().close();
    browser.expectNoFaults();
  });
});
