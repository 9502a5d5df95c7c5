import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { drawPhoto } from '../support/fixtures/draw-photo.ts';
import { ok, okWith } from '../support/services/ok.ts';
import { sharedService, type SharedService } from '../support/services/shared-service.ts';
import { consoleAddresses, type Subjects } from './support/console-addresses.ts';
import { createCurator, type Curator, signIn } from './support/curator.ts';
import { describeWithChromium } from './support/describe-with-chromium.ts';
import { TestBrowser } from './support/open-browser.ts';
import { sidewaysScroll, visitPage } from './support/visit-page.ts';

/** The narrowest window that WCAG 1.4.10 names. */
const NARROWEST = 320;

describeWithChromium('the console in a narrow window', () => {
  let resources: AsyncDisposableStack;
  let service: SharedService;
  let browser: TestBrowser;
  let curator: Curator;

  beforeAll(async () => {
    resources = new AsyncDisposableStack();
    service = resources.use(await sharedService('standalone'));
    browser = resources.use(await TestBrowser.open(service.url));
    curator = await createCurator(service, '--admin');
  });
  afterAll(() => resources.disposeAsync());

  test('no page scrolls sideways in German, whose texts are long', async () => {
    const addresses = await consoleAddresses(await seed(curator));
    expect(addresses.length).toBeGreaterThan(20);
    const english = await browser.openPage();
    await english.goto('/console/sign-in');
    await signIn(english, curator);
    const page = await browser.openPage({
      viewport: { width: NARROWEST, height: 800 },
      locale: 'de-DE',
      storageState: await english.context().storageState(),
    });
    browser.takeFaults();
    const wide: string[] = [];
    for (const address of addresses) {
      await visitPage(page, `/console/${curator.environment}${address}`);
      const pixels = await sidewaysScroll(page);
      if (pixels > 0) wide.push(`${address}: ${pixels} px`);
    }
    expect(wide).toEqual([]);
    browser.expectNoFaults();
  });
});

/** Stores one thing of each kind that has a page, with a long name. */
async function seed({ client }: Curator): Promise<Subjects> {
  const name = 'Maximiliane Freifrau-von-und-zu-Grafenstein-Hohenlohe';
  const portrait = await drawPhoto({ faces: ['Ada'] });
  const enrolled = ok(await client.enrollFace({ body: { name, file: portrait } }));
  const file = await drawPhoto({ faces: ['Ada 2', 'Stranger'], objects: ['apple'] });
  const { source_image_id: image } = ok(await client.detectAll({ body: { file } }));
  const { job_id: job } = okWith(
    202,
    await client.reprocessImages({ query: { async: true }, body: { source_image_ids: [image] } }),
  );
  const webhook = { url: 'https://hooks.example.org/sightline', label: name, events: [] };
  const { id } = ok(await client.registerWebhook({ body: webhook }));
  return { person: enrolled.identity_id, image, class: 'apple', job, webhook: id };
}
