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
  /** The test whose faults are recorded; undefined in hooks that run before all tests. */
  #test: string | undefined;

  /** @param origin the scheme, host and port of the service */
  static async open(origin: string): Promise<TestBrowser> {
    return new TestBrowser(await launchChromium(), origin);
  }

  /** Returns the faults since the last call, and none of an earlier test, which may have failed before it took them. */
  override takeFaults(): readonly string[] {
    this.#beginTest();
    return super.takeFaults();
  }

  protected override record(fault: string): void {
    this.#beginTest();
    super.record(fault);
  }

  #beginTest(): void {
    const { currentTestName } = expect.getState();
    if (currentTestName === this.#test) return;
    this.#test = currentTestName;
    super.takeFaults();
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

/** The rules of WCAG 2.2, levels A and AA, and of good practice. */
const ALL_RULES: axe.RunOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
};
/** The one rule that depends on the colors. */
const CONTRAST: axe.RunOptions = { runOnly: { type: 'rule', values: ['color-contrast'] } };

/** Fails if the page violates a rule of WCAG 2.2, levels A and AA. */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await violations(page, ALL_RULES)).toEqual([]);
}

/** Like `expectAccessible`, in the light and in the dark look. Returns the violations. */
export async function violationsInBothLooks(page: Page): Promise<readonly object[]> {
  await page.emulateMedia({ colorScheme: 'light' });
  const light = await violations(page, ALL_RULES);
  await page.emulateMedia({ colorScheme: 'dark' });
  return [...light, ...(await violations(page, CONTRAST))];
}

async function violations(page: Page, options: axe.RunOptions): Promise<readonly object[]> {
  // The page's policy refuses scripts of other origins, and evaluating is not loading.
  if (!(await page.evaluate<boolean>('"axe" in globalThis'))) await page.evaluate(AXE);
  const found = await page.evaluate(async (given) => {
    const { axe: loaded } = globalThis as unknown as { axe: typeof axe };
    return (await loaded.run(given)).violations;
  }, options);
  return found.map(({ id, help, nodes }) => ({
    id,
    help,
    nodes: nodes.map(({ html, failureSummary }) => `${html}\n${failureSummary ?? ''}`),
  }));
}
