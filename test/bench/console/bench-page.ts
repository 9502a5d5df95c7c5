import type { BrowserContextOptions, CDPSession, Page } from 'playwright-core';
import type { WatchedBrowser } from '../../console/support/watched-browser.ts';

/** A processor that is four times as slow, and a line with 10 Mbit/s and 40 ms. */
const SLOWDOWN = 4;
const LINE = {
  offline: false,
  latency: 40,
  downloadThroughput: 10_000_000 / 8,
  uploadThroughput: 10_000_000 / 8,
};

/** A page of a browser whose parts that are not for pages can be asked, too. */
export interface BenchPage extends AsyncDisposable {
  readonly page: Page;
  readonly devTools: CDPSession;
}

/** Opens a page without any stored file. */
export async function openBenchPage(
  browser: WatchedBrowser,
  options: BrowserContextOptions = {},
): Promise<BenchPage> {
  const page = await browser.openPage(options);
  const devTools = await page.context().newCDPSession(page);
  return {
    page,
    devTools,
    [Symbol.asyncDispose]: () => page.context().close(),
  };
}

/** Slows the page down, as a small computer behind a usual line would be. */
export async function slowDown({ devTools }: BenchPage): Promise<void> {
  await devTools.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
  await devTools.send('Network.enable');
  await devTools.send('Network.emulateNetworkConditions', LINE);
}
