import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect } from '@jest/globals';
import type axe from 'axe-core';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import { pathOfChromium } from './describe-with-chromium.ts';

/** Without these, Chromium connects to services of its maker. */
const ARGUMENTS = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-gpu',
  '--disable-quic',
  '--disable-sync',
  '--no-first-run',
  // Root cannot have Chromium's sandbox.
  '--no-sandbox',
];

/** The longest time for which a step of a journey waits, in ms; most of them take a few. */
const TIMEOUT_MS = 15_000;

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** A browser that loads pages of one service. */
export class TestBrowser implements AsyncDisposable {
  readonly #browser: Browser;
  readonly #origin: string;
  readonly #faults: string[] = [];

  private constructor(browser: Browser, origin: string) {
    this.#browser = browser;
    this.#origin = origin;
  }

  /** @param origin the scheme, host and port of the service */
  static async open(origin: string): Promise<TestBrowser> {
    const executablePath = pathOfChromium();
    if (executablePath === null) throw new Error('There is no Chromium.');
    const browser = await chromium.launch({ executablePath, args: ARGUMENTS });
    return new TestBrowser(browser, origin);
  }

  /** Opens a page with cookies and storage of its own, as another person's browser has. */
  async openPage(options: BrowserContextOptions = {}): Promise<Page> {
    const context = await this.#browser.newContext({
      baseURL: this.#origin,
      viewport: { width: 1440, height: 900 },
      locale: 'en-US',
      reducedMotion: 'reduce',
      ...options,
    });
    context.setDefaultTimeout(TIMEOUT_MS);
    this.#watch(context);
    return context.newPage();
  }

  /**
   * Fails if a page reported an error, violated its policy, or sent a request elsewhere since the last call.
   *
   * @param expected patterns of errors that the test has caused, such as refused requests, which Chromium reports
   */
  expectNoFaults(...expected: readonly RegExp[]): void {
    const faults = this.#faults.splice(0);
    expect(faults.filter((fault) => !expected.some((pattern) => pattern.test(fault)))).toEqual([]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#browser.close();
  }

  #watch(context: BrowserContext): void {
    context.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) this.#faults.push(message.text());
    });
    context.on('weberror', (fault) =>
      this.#faults.push(fault.error().stack ?? String(fault.error())),
    );
    context.on('request', (request) => {
      const { origin, protocol } = new URL(request.url());
      if (protocol !== 'blob:' && origin !== this.#origin) {
        this.#faults.push(`request to ${request.url()}`);
      }
    });
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
