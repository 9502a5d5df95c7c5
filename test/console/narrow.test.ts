import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sharedService, type SharedService } from '../support/services/shared-service.ts';
import { consoleAddresses } from './support/console-addresses.ts';
import { createCurator, type Curator } from './support/curator.ts';
import { describeWithChromium } from './support/describe-with-chromium.ts';
import { TestBrowser } from './support/open-browser.ts';
import { openSignedIn } from './support/open-signed-in.ts';
import { seedSubjects } from './support/seed-subjects.ts';
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
    const addresses = await consoleAddresses(await seedSubjects(curator));
    expect(addresses.length).toBeGreaterThan(20);
    const page = await openSignedIn(browser, curator, {
      viewport: { width: NARROWEST, height: 800 },
      locale: 'de-DE',
    });
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
