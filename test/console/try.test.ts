import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { drawPhoto } from '../support/fixtures/draw-photo.ts';
import { temporaryFolder } from '../support/fixtures/temporary-folder.ts';
import { ok } from '../support/services/ok.ts';
import { sharedService, type SharedService } from '../support/services/shared-service.ts';
import { createCurator, type Curator, signIn } from './support/curator.ts';
import { describeWithChromium } from './support/describe-with-chromium.ts';
import { expectAccessible, TestBrowser } from './support/open-browser.ts';

const HOSTILE = '<img src=x onerror=alert(1)>.jpg';
/** The largest file that the service accepts has 25 MiB. */
const TOO_LARGE = 25 * 1024 * 1024 + 1;

describeWithChromium('trying photos in the console', () => {
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
    for (const name of ['Ada', 'Bo']) {
      const file = await drawPhoto({ faces: [name], comment: 'reference' });
      ok(await curator.client.enrollFace({ body: { name, file } }));
    }
    page = await browser.openPage();
    await page.goto(`/console/${curator.environment}/try`);
    await signIn(page, curator);
    // The first page asks for a session before there is one.
    browser.expectNoFaults(/status of 401/);
  });
  afterAll(() => resources.disposeAsync());

  const tab = (name: string) => page.getByRole('tab', { name, exact: true }).click();
  const input = (field: string) =>
    page.getByRole('region', { name: field }).locator('input[type=file]');
  const results = () => page.getByRole('list', { name: 'Results' }).getByRole('button');
  const file = (name: string, buffer: Buffer) => ({ name, mimeType: 'image/jpeg', buffer });
  const drawn = async (name: string, photo: Parameters<typeof drawPhoto>[0]) =>
    file(name, Buffer.from(await (await drawPhoto({ comment: name, ...photo })).arrayBuffer()));
  const stored = async () => ok(await curator.client.countImages()).count;

  test('files that are no photos say why, and are not sent', async () => {
    await page.getByText('Drop or paste a photo here').waitFor();
    await expectAccessible(page);
    const alert = page.getByRole('alert');
    await input('Photo').setInputFiles(file(HOSTILE, Buffer.from('no picture at all')));
    await alert.getByText('not a picture').waitFor();
    await input('Photo').setInputFiles(file('empty.jpg', Buffer.alloc(0)));
    await alert.getByText('empty').waitFor();
    // The browser reads it from the disk, because so many bytes in a message take a busy machine long.
    await using folder = await temporaryFolder();
    const large = join(folder.path, 'large.jpg');
    await writeFile(large, Buffer.alloc(TOO_LARGE, 0xff));
    await input('Photo').setInputFiles(large);
    await alert.getByText('larger than').waitFor();
    await expectAccessible(page);
    await input('Photo').setInputFiles(file('cut.jpg', Buffer.from([0xff, 0xd8, 0xff, 0xe0])));
    await alert.getByText('Request').waitFor();
    await expectAccessible(page);
    browser.expectNoFaults(/status of 4(15|22)/);
  });

  test('faces and objects are marked, and the least score leaves some out', async () => {
    const photo = { faces: ['Ada 2', 'Cy'], objects: ['apple'] as const };
    await input('Photo').setInputFiles(await drawn(HOSTILE, photo));
    await page.getByRole('img', { name: `Photo ${HOSTILE}: 2 faces, 1 object` }).waitFor();
    expect(await page.locator('img[src="x"]').count()).toBe(0);
    expect(await results().count()).toBe(3);
    await results().nth(2).click();
    await expectAccessible(page);
    const slider = page.getByRole('slider', { name: 'Minimum score' });
    await slider.press('End');
    await page.getByText('Nothing reaches the minimum score').waitFor();
    expect(new URL(page.url()).searchParams.get('score')).toBe('1');
    await slider.press('Home');
    await results().first().waitFor();
    browser.expectNoFaults();
  });

  test('a threshold decides about the answer that is there, without another request', async () => {
    await tab('Identify');
    await results().getByText('Ada').waitFor();
    await page.getByRole('list', { name: 'People most like Face' }).getByText('Bo').waitFor();
    await expectAccessible(page);
    let asked = 0;
    page.on('request', (request) => {
      if (request.url().includes('/api/identify')) asked++;
    });
    const slider = page.getByRole('slider', { name: 'Threshold of a match' });
    await slider.press('End');
    await results().getByText('Ada').waitFor({ state: 'detached' });
    await page.reload();
    expect(new URL(page.url()).searchParams.get('threshold')).toBe('1');
    await page.getByText('Drop or paste a photo here').waitFor();
    await input('Photo').setInputFiles(await drawn('two.jpg', { faces: ['Ada 2', 'Cy'] }));
    await results().first().waitFor();
    expect(asked).toBe(1);
    await page.getByRole('button', { name: /Use that of the environment/ }).click();
    await results().getByText('Ada').waitFor();
    browser.expectNoFaults();
  });

  test('the request is there as code, with the answer', async () => {
    const code = page.getByRole('region', { name: 'Code' });
    await code.getByText(`-F 'file=@"two.jpg"'`).waitFor();
    await code.getByRole('tab', { name: 'Python' }).click();
    await code.getByText('requests.post(').waitFor();
    await code.getByRole('tab', { name: 'JavaScript' }).click();
    await code.getByText('openAsBlob').waitFor();
    await code.getByRole('tab', { name: 'Answer' }).click();
    await code.getByText('"suggestions"').waitFor();
    await expectAccessible(page);
    browser.expectNoFaults();
  });

  test('nothing is stored until the person stores the photo, or enrolls a face', async () => {
    const before = await stored();
    await results().nth(1).click();
    await page.getByRole('button', { name: 'Enroll this face' }).click();
    const dialog = page.getByRole('dialog', { name: 'Enroll this face' });
    await dialog.getByRole('combobox').fill('Cy محمد 👩‍🚀');
    await page.getByRole('option', { name: /New person/ }).click();
    expect(await stored()).toBe(before);
    await expectAccessible(page);
    await dialog.getByRole('button', { name: /^Enroll as Cy/ }).click();
    await page.getByRole('status').getByText('Face enrolled as Cy').waitFor();
    await results().getByText('Cy محمد').waitFor();
    expect(await stored()).toBe(before + 1);
    await page.getByRole('link', { name: 'Open the stored photo' }).waitFor();
    await tab('Test');
    await input('Photo').setInputFiles(await drawn('store.jpg', { objects: ['bus'] }));
    await page.getByRole('button', { name: 'Store this photo' }).click();
    await page.getByRole('status').getByText('Photo stored with 0 faces and 1 object').waitFor();
    expect(await stored()).toBe(before + 2);
    browser.expectNoFaults();
  });

  test('two photos are compared, and a photo with a person', async () => {
    await tab('Verify');
    await input('First photo').setInputFiles(await drawn('one.jpg', { faces: ['Ada 2'] }));
    await input('Second photo').setInputFiles(await drawn('other.jpg', { faces: ['Ada 3', 'Bo'] }));
    await page.getByText('The same person', { exact: true }).waitFor();
    await page.getByText('2 faces in the photo').waitFor();
    await expectAccessible(page);
    await page.getByRole('slider', { name: 'Threshold of a match' }).press('End');
    await page.getByText('Not the same person').waitFor();
    await input('Second photo').setInputFiles(await drawn('none.jpg', {}));
    await page.getByRole('alert').waitFor();
    await page.getByRole('button', { name: /Compare with/ }).click();
    await page.getByRole('option', { name: 'A person' }).click();
    await page.getByRole('combobox', { name: 'Person' }).fill('Bo');
    await page.getByRole('option', { name: 'Bo' }).click();
    await page.getByText('Not the same person').waitFor();
    await expectAccessible(page);
    browser.expectNoFaults(/status of 4(09|22)/);
  });

  test('a photo is pasted, fetched from an address, and taken with the camera', async () => {
    await tab('Test');
    const bytes = [...(await drawn('pasted.jpg', { faces: ['Dee'] })).buffer];
    // Texts, because the types of this test are those of Node.
    await page.evaluate(`
      const clipboardData = new DataTransfer();
      const bytes = Uint8Array.from(${JSON.stringify(bytes)});
      clipboardData.items.add(new File([bytes], 'pasted.jpg'));
      document.dispatchEvent(new ClipboardEvent('paste', { clipboardData }));
    `);
    await page.getByRole('img', { name: /^Photo pasted.jpg: 1 face,/ }).waitFor();
    await page.getByLabel('Address of a photo').fill('javascript:alert(1)');
    await page.getByRole('button', { name: 'Fetch' }).click();
    await page.getByText('begins with http://').waitFor();
    await page.getByLabel('Address of a photo').fill('https://photos.invalid/a.jpg');
    await page.getByRole('button', { name: 'Fetch' }).click();
    await page.getByRole('alert').waitFor();
    await expectAccessible(page);
    await page.evaluate(`
      navigator.mediaDevices.getUserMedia = () => {
        const canvas = document.createElement('canvas');
        canvas.getContext('2d').fillRect(0, 0, 10, 10);
        return Promise.resolve(canvas.captureStream());
      };
    `);
    await page.getByRole('button', { name: 'Camera' }).click();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Take the photo' }).click();
    await page.getByRole('img', { name: 'Photo camera.jpg: 0 faces, 0 objects' }).waitFor();
    browser.expectNoFaults(/status of 4\d\d/);
  });

  test('a camera that is refused says so', async () => {
    await page.evaluate(`
      navigator.mediaDevices.getUserMedia = () =>
        Promise.reject(new DOMException('refused', 'NotAllowedError'));
    `);
    await page.getByRole('button', { name: 'Camera' }).click();
    await page.getByRole('dialog').getByRole('alert').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Cancel' }).click();
    browser.expectNoFaults();
  });
});
