import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect } from '@jest/globals';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';
import { launchChromium } from './chromium.ts';
import { WatchedBrowser } from './watched-browser.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** A browser that loads pages of one service. */
export class TestBrowser extends WatchedBrowser {
  /** @param origin the scheme, host and port of the service */
  static async open(origin: string): Promise<TestBrowser> {
    return new TestBrowser(await launchChromium(), origin);
  }

  /**
   * Fails if a page reported an error, violated its policy, or sent a request elsewhere since the last call.
   *
   * @param expected patterns of errors that the test has caused, such as refused requests, which Chromium reports
   */
  expectNoFaults(...expected: readonly RegExp[]): void {
    const faults = this.takeFaults();
    expect(faults.filter((fault) => !expected.some((pattern) => pattern.test(fault)))).toEqual([]);
  }
}

/** Fails if the page violates a rule of WCAG 2.2, levels A and AA. */
export async function expectAccessible(page: Page): Promise<void> {
  // The page's policy refuses scripts of other origins, and evaluating is not loading.
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(async () => {
    const { axe: loaded } = globalThis as unknown as { axe: typeof axe };
    return loaded.run({
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    });
  });
  const found = violations.map(({ id, help, nodes }) => ({
    id,
    help,
    nodes: nodes.map(({ html, failureSummary }) => `${html}\n${failureSummary ?? ''}`),
  }));
  expect(found).toEqual([]);
}
