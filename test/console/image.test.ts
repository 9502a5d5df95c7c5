import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { freshPhoto } from '../support/fixtures/draw-photo.ts';
import { ok } from '../support/services/ok.ts';
import { sharedService, type SharedService } from '../support/services/shared-service.ts';
import { createCurator, type Curator, signIn } from './support/curator.ts';
import { describeWithChromium } from './support/describe-with-chromium.ts';
import { emptyEnvironment } from './support/empty-environment.ts';
import { eventually } from '../support/waits/eventually.ts';
import { expectAccessible, TestBrowser } from './support/open-browser.ts';

describeWithChromium('an image of the console', () => {
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
  });
  afterEach(async () => {
    await page.context().close();
    await emptyEnvironment(curator);
  });
  afterAll(() => resources.disposeAsync());

  async function upload(faces: readonly string[], reference: string): Promise<number> {
    const file = await freshPhoto({ faces, objects: ['bus'] });
    const body = { file, external_ref: reference };
    return ok(await curator.client.detectAll({ body })).source_image_id;
  }

  async function enroll(...names: readonly string[]): Promise<void> {
    for (const name of names) {
      ok(
        await curator.client.detectFaces({
          body: { file: await freshPhoto({ faces: [name] }), label: name },
        }),
      );
    }
  }

  async function open(id: number): Promise<void> {
    page = await browser.openPage();
    await page.goto(`/console/${curator.environment}/images/${id}`);
    await signIn(page, curator);
    // The heading stands before the image has been read.
    await page.getByRole('button', { name: 'Draw a box' }).waitFor();
  }

  /** Shows the image as if its first face were turned; the toy detector finds upright faces only. */
  async function expectTurned(degrees: number): Promise<void> {
    await page.route('**/api/images/*', async (route) => {
      const response = await route.fetch();
      const { faces, ...image } = (await response.json()) as { faces: object[] };
      const [first, ...others] = faces;
      await route.fulfill({
        response,
        json: { ...image, faces: [{ ...first, turned: degrees }, ...others] },
      });
    });
    await page.reload();
    await page.getByText(`turned ${degrees}°`).waitFor();
    await page.unroute('**/api/images/*');
    await page.reload();
    await page
      .getByText(/^Score/)
      .first()
      .waitFor();
    expect(await page.getByText(/turned/).count()).toBe(0);
  }

  const faceButton = (name: string | RegExp) =>
    page.getByRole('region', { name: 'Faces' }).getByRole('button', { name });
  const read = async (id: number) => ok(await curator.client.getImage({ path: { id } }));

  test('a face without a name says why, and gets one from the keyboard', async () => {
    const id = await upload(['Ada'], 'first <b>photo</b>');
    await open(id);
    await page.getByText('No known person reaches the threshold of 0.50.').waitFor();
    await expectAccessible(page);
    await expectTurned(90);
    // People were looked at before there was one.
    await page.getByRole('link', { name: 'People', exact: true }).click();
    await page.getByText('There are no people yet').waitFor();
    await page.goBack();
    await faceButton('No name').click();
    await expectAccessible(page);
    await page.keyboard.press('r');
    await expectAccessible(page);
    await page.keyboard.type('Ada <i>שלום</i> 😀');
    await page.getByRole('option', { name: 'New: Ada <i>שלום</i> 😀' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('Named Ada <i>שלום</i> 😀').waitFor();
    expect((await read(id)).faces[0]).toMatchObject({
      label: 'Ada <i>שלום</i> 😀',
      review_status: 'confirmed',
    });
    await page.getByRole('link', { name: 'People', exact: true }).click();
    await page.getByRole('gridcell', { name: 'Ada <i>שלום</i> 😀' }).waitFor();
    await page.goBack();
    await faceButton('Ada <i>שלום</i> 😀').waitFor();
    await page.keyboard.press('z');
    await page.getByText('Undone: Named').waitFor();
    await faceButton('No name').waitFor();
    browser.expectNoFaults(/status of 401/);
  });

  test('one key confirms all suggestions', async () => {
    await enroll('Ada', 'Bob');
    const id = await upload(['Ada 2', 'Bob 2', 'Eve'], 'group');
    await open(id);
    await page.getByRole('button', { name: 'Confirm all 2' }).waitFor();
    await page.keyboard.press('a');
    await page.getByText('2 confirmed').waitFor();
    await eventually(
      async () => (await read(id)).faces.map(({ review_status: status }) => status),
      ['confirmed', 'confirmed', 'pending'],
    );
    await faceButton(/Bob/).click();
    await page.keyboard.press('n');
    await page.getByText('Rejected').first().waitFor();
    await faceButton('No name').first().waitFor();
    browser.expectNoFaults(/status of 401/);
  });

  test('boxes are drawn with keys and with the mouse while the photo is enlarged', async () => {
    const id = await upload([], 'empty');
    await open(id);
    await page.keyboard.press('d');
    await page.getByText('At 96, 96, 64 × 64 pixels').waitFor();
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Alt+ArrowLeft');
    await page.getByText('At 106, 95, 63 × 64 pixels').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('+');
    await page.getByText('150%').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('Box saved').waitFor();
    expect((await read(id)).faces).toMatchObject([
      { is_manual: true, bbox: { x: 106, y: 95, w: 63, h: 64 } },
    ]);
    await page.keyboard.press('0');
    await page.keyboard.press('d');
    const photo = (await page.getByRole('img', { name: 'Photo empty' }).boundingBox())!;
    const at = (part: number) =>
      [photo.x + photo.width * part, photo.y + photo.height * part] as const;
    await page.mouse.move(...at(0.25));
    await page.mouse.down();
    await page.mouse.move(...at(0.26));
    await page.getByText('A box has at least 8 pixels in each direction.').waitFor();
    await page.mouse.move(...at(0.5), { steps: 3 });
    await page.mouse.up();
    await page.getByRole('region', { name: 'New box' }).getByLabel('It is').click();
    await page.getByRole('option', { name: 'An object' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await eventually(async () => (await read(id)).objects.length, 2);
    const { bbox } = (await read(id)).objects.find(({ is_manual: isManual }) => isManual)!;
    for (const value of Object.values(bbox)) expect(Math.abs(value - 64)).toBeLessThanOrEqual(1);
    browser.expectNoFaults(/status of 401/);
  });

  test('keys lead to the neighbors in the list, and delete a box and the image', async () => {
    const oldest = await upload(['Ada'], 'oldest');
    const middle = await upload(['Bob'], 'middle');
    const newest = await upload(['Eve'], 'newest');
    await open(middle);
    await eventually(() => page.getByRole('button', { name: 'Previous' }).isEnabled(), true);
    await page.keyboard.press('[');
    await page.getByRole('heading', { name: 'Image newest' }).waitFor();
    expect(new URL(page.url()).pathname.endsWith(`/${newest}`)).toBe(true);
    await eventually(() => page.getByRole('button', { name: 'Next' }).isEnabled(), true);
    expect(await page.getByRole('button', { name: 'Previous' }).isDisabled()).toBe(true);
    await page.keyboard.press(']');
    await page.getByRole('heading', { name: 'Image middle' }).waitFor();
    await eventually(() => page.getByRole('button', { name: 'Next' }).isEnabled(), true);
    await page.keyboard.press(']');
    await page.getByRole('heading', { name: 'Image oldest' }).waitFor();
    await faceButton('No name').click();
    await page.keyboard.press('Delete');
    await page.getByText('Box deleted').waitFor();
    await eventually(async () => (await read(oldest)).faces.length, 0);
    await eventually(() => faceButton('No name').count(), 0);
    await page.keyboard.press('Delete');
    await page.getByRole('dialog', { name: 'Delete 1 image?' }).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('1 image deleted').waitFor();
    expect(ok(await curator.client.countImages()).count).toBe(2);
    browser.expectNoFaults(/status of 401/, /status of 404/);
  });

  test('what another tab has deleted is no longer there', async () => {
    const id = await upload(['Ada'], 'photo');
    await open(id);
    await faceButton('No name').click();
    const { faces } = await read(id);
    ok(await curator.client.deleteDetection({ path: { id: faces[0]!.id } }));
    await page.keyboard.press('x');
    await page.getByText('1 face no longer exists.').waitFor();
    ok(await curator.client.deleteImage({ path: { id } }));
    await page.reload();
    await page.getByRole('alert').getByText('It no longer exists.').waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Back to the images' }).click();
    await page.getByText('There are no images yet').waitFor();
    browser.expectNoFaults(/status of 401/, /status of 404/);
  });
});
