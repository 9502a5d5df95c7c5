import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { thirdOf } from '../support/gates/soak.ts';
import { sharedService } from '../support/services/shared-service.ts';
import { consoleAddresses } from './support/console-addresses.ts';
import { createCurator, type Curator } from './support/curator.ts';
import { describeWithChromium } from './support/describe-with-chromium.ts';
import { TestBrowser } from './support/open-browser.ts';
import { openSignedIn } from './support/open-signed-in.ts';
import { seedSubjects } from './support/seed-subjects.ts';
import { sidewaysScroll, visitPage } from './support/visit-page.ts';

/** A window of 1280 × 1024 px whose pages are enlarged to 200 %. */
const ENLARGED = { viewport: { width: 640, height: 512 }, deviceScaleFactor: 2 };
const WIDE = { width: 1280, height: 1024 };
/** More than the stops of any page. */
const MOST_STOPS = 150;

describeWithChromium('the console enlarged to 200 %', () => {
  let resources: AsyncDisposableStack;
  let browser: TestBrowser;
  let curator: Curator;
  let page: Page;

  beforeAll(async () => {
    resources = new AsyncDisposableStack();
    const service = resources.use(await sharedService('standalone'));
    browser = resources.use(await TestBrowser.open(service.url));
    curator = await createCurator(service, '--admin');
    page = await openSignedIn(browser, curator, ENLARGED);
  });
  afterAll(() => resources.disposeAsync());

  test('no page scrolls sideways, cuts a text, covers the focus or moves, also with larger texts alone', async () => {
    const faults: Record<string, unknown> = {};
    const check = (name: string, found: readonly unknown[]) => {
      if (found.length > 0) faults[name] = found;
    };
    for (const address of thirdOf(await consoleAddresses(await seedSubjects(curator)), 2)) {
      await page.setViewportSize(ENLARGED.viewport);
      await visitPage(page, `/console/${curator.environment}${address}`);
      check(`sideways ${address}`, await sideways());
      check(`cut ${address}`, await page.evaluate<string[]>(CUT_TEXTS));
      check(`focus ${address}`, await coveredStops());
      check(`motion ${address}`, await page.evaluate<string[]>(MOTIONS));
      await page.setViewportSize(WIDE);
      await page.evaluate("document.documentElement.style.fontSize = '200%'");
      check(`larger texts, sideways ${address}`, await sideways());
      check(`larger texts, cut ${address}`, await page.evaluate<string[]>(CUT_TEXTS));
    }
    expect(faults).toEqual({});
    browser.expectNoFaults();
  });

  const sideways = async () => {
    const pixels = await sidewaysScroll(page);
    return pixels > 0 ? [pixels] : [];
  };
  /** Walks through the page with Tab, and returns what had the focus and could not be seen. */
  const coveredStops = async () => {
    const covered = new Set<string>();
    for (let stops = 0; stops < MOST_STOPS; stops++) {
      await page.keyboard.press('Tab');
      const found = await page.evaluate<string | null>(COVERED_FOCUS);
      if (found === null) break;
      if (found !== '') covered.add(found);
    }
    return [...covered];
  };
});

/** The elements that would move for longer than 1 ms although the person asks for less motion. */
const MOTIONS = `(() => {
  const seconds = (times) => Math.max(...times.split(',').map((time) => parseFloat(time) / (time.trim().endsWith('ms') ? 1000 : 1)));
  const isLong = (element) => {
    const { transitionDuration, animationDuration, scrollBehavior } = getComputedStyle(element);
    return seconds(transitionDuration) > 0.001 || seconds(animationDuration) > 0.001 || scrollBehavior === 'smooth';
  };
  return [...document.querySelectorAll('*')].filter(isLong).map((element) => element.tagName + '.' + element.className);
})()`;

/** The texts that their boxes cut, apart from those that show it by an ellipsis. */
const CUT_TEXTS = `(() => {
  const isHidden = (element) => element.closest('.visually-hidden, [hidden], [aria-hidden=true]') !== null;
  const isCut = (element) => {
    const { overflowX, overflowY, textOverflow, clipPath } = getComputedStyle(element);
    if (clipPath !== 'none' || textOverflow === 'ellipsis') return false;
    return (overflowX === 'hidden' && element.scrollWidth > element.clientWidth + 1)
      || (overflowY === 'hidden' && element.scrollHeight > element.clientHeight + 1);
  };
  const isOutside = (element) => {
    const { scrollWidth, clientWidth } = element;
    return clientWidth > 0 && scrollWidth > clientWidth + 1 && getComputedStyle(element).overflowX === 'visible';
  };
  const describe = (element) => element.tagName + '.' + element.className + ': ' + element.textContent.slice(0, 60);
  const withText = [...document.querySelectorAll('body *')].filter(
    (element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== ''),
  );
  return withText
    .filter((element) => !isHidden(element))
    .filter((element) => isCut(element) || (element.matches('button, h1, h2, h3, a') && isOutside(element)))
    .map(describe);
})()`;

/** Describes the element with the focus if no part of it can be seen; null at the end of the page. */
const COVERED_FOCUS = `(() => {
  const focused = document.activeElement;
  if (focused === null || focused === document.body) return null;
  // The input of a slider is hidden in its thumb.
  const element = focused.matches('[type=range]') ? focused.parentElement.closest('[data-rac]') : focused;
  const box = element.getBoundingClientRect();
  const [left, right] = [Math.max(0, box.left), Math.min(innerWidth, box.right)];
  const [top, bottom] = [Math.max(0, box.top), Math.min(innerHeight, box.bottom)];
  const inset = 2;
  const points = [
    [(left + right) / 2, (top + bottom) / 2],
    [left + inset, top + inset], [right - inset, top + inset],
    [left + inset, bottom - inset], [right - inset, bottom - inset],
  ];
  const labels = [...(element.labels ?? [])];
  const isSeen = points.some(([x, y]) => {
    const hit = document.elementFromPoint(x, y);
    return hit !== null && (element.contains(hit) || labels.some((label) => label.contains(hit)));
  });
  if (isSeen) return '';
  return element.tagName + ': ' + (element.getAttribute('aria-label') ?? element.textContent).slice(0, 60)
    + ' at ' + [left, top, right, bottom].map(Math.round).join();
})()`;
