import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { sharedService } from '../support/services/shared-service.ts';
import { consoleAddresses } from './support/console-addresses.ts';
import { createCurator, type Curator } from './support/curator.ts';
import { describeWithChromium } from './support/describe-with-chromium.ts';
import { TestBrowser } from './support/open-browser.ts';
import { openSignedIn } from './support/open-signed-in.ts';
import { seedSubjects } from './support/seed-subjects.ts';
import { sidewaysScroll, visitPage } from './support/visit-page.ts';

/** The language whose texts are marked: see `messages/pseudo.ts` of the console. */
const PSEUDO = 'en-XA';

/** Texts that are the same in all languages, or that React Aria has in the languages of the console. */
const NAMES = new Set(
  'Sightline English Deutsch curl JavaScript Python Node.js Go Chrome Linux Select'.split(' '),
);
const DATES = /[A-Z][a-z]{2} \d{1,2}, \d{4}(, \d{1,2}:\d{2}\s[AP]M)?/g;
const SIZES = /^[\d.,]+ (byte|kB|MB|GB|TB|sec|min|hr)$/;

describeWithChromium('the texts of the console', () => {
  let resources: AsyncDisposableStack;
  let browser: TestBrowser;
  let curator: Curator;
  let page: Page;
  /** All answers of the service, because what they contain is data. */
  let answers = '';

  beforeAll(async () => {
    resources = new AsyncDisposableStack();
    const service = resources.use(await sharedService('standalone'));
    browser = resources.use(await TestBrowser.open(service.url));
    curator = await createCurator(service, '--admin');
    page = await openSignedIn(browser, curator);
    remember(page);
    await page.route('**/api/account/me', async (route) => {
      const profile = (await (await route.fetch()).json()) as object;
      await route.fulfill({ json: { ...profile, locale: PSEUDO } });
    });
  });
  const remember = (page: Page) =>
    page.on('response', (response) => {
      if (!response.url().includes('/api/')) return;
      void response.text().then(
        (body) => (answers += body),
        () => undefined,
      );
    });
  afterAll(() => resources.disposeAsync());

  test('all of them are in the messages, and longer ones fit', async () => {
    const unmarked: Record<string, readonly string[]> = {};
    for (const address of await consoleAddresses(await seedSubjects(curator))) {
      await visitPage(page, `/console/${curator.environment}${address}`);
      const found = (await page.evaluate<string[]>(UNMARKED_TEXTS)).filter((text) => !isData(text));
      const pixels = await sidewaysScroll(page);
      if (pixels > 0) found.push(`scrolls sideways by ${pixels} px`);
      if (found.length > 0) unmarked[address] = [...new Set(found)];
    }
    expect(unmarked).toEqual({});
    browser.expectNoFaults();
  });

  /** Whether each part of a text is a name, a size or a member of an answer. */
  const isData = (text: string) =>
    isMember(text) ||
    text
      .replaceAll(DATES, '')
      .split(/[\n·:,]| and /)
      .map((part) => part.trim())
      .every(
        (part) => !/\p{L}{2}/u.test(part) || NAMES.has(part) || SIZES.test(part) || isMember(part),
      );
  const isMember = (text: string) =>
    answers.includes(JSON.stringify(text.replace(/^[·:,\s]+/, '')));
});

/** The texts and names with two letters in a row that have no mark. */
const UNMARKED_TEXTS = `(() => {
  const DATA = 'code, pre, kbd, time, bdi, script, noscript, style, [translate=no]';
  const texts = [document.title];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { parentElement, data } = walker.currentNode;
    if (parentElement.closest(DATA) === null) texts.push(data);
  }
  for (const element of document.querySelectorAll('[aria-label], [alt], [title], [placeholder]')) {
    for (const name of ['aria-label', 'alt', 'title', 'placeholder']) texts.push(element.getAttribute(name) ?? '');
  }
  return texts
    .map((text) => text.replace(/\\[.*~+\\]/gs, '').trim())
    .filter((text) => /\\p{L}{2}/u.test(text));
})()`;
