import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';

/** The longest time for which a step of a journey waits, in ms. Most take a few; other suites may use all cores. */
const TIMEOUT_MS = 120_000;

/** A browser that loads pages of one service, and records what goes wrong in them. */
export class WatchedBrowser implements AsyncDisposable {
  readonly #browser: Browser;
  readonly #origin: string;
  readonly #faults: string[] = [];

  /** @param origin the scheme, host and port of the service */
  constructor(browser: Browser, origin: string) {
    this.#browser = browser;
    this.#origin = origin;
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

  /** Returns the errors, violations of the policy and requests to elsewhere since the last call. */
  takeFaults(): readonly string[] {
    return this.#faults.splice(0);
  }

  protected record(fault: string): void {
    this.#faults.push(fault);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#browser.close();
  }

  #watch(context: BrowserContext): void {
    context.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) this.record(message.text());
    });
    context.on('weberror', (fault) => this.record(fault.error().stack ?? String(fault.error())));
    context.on('request', (request) => {
      const { origin, protocol } = new URL(request.url());
      if (protocol !== 'blob:' && origin !== this.#origin) {
        this.record(`request to ${request.url()}`);
      }
    });
  }
}
