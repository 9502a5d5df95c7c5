import type { BrowserContextOptions, Page } from 'playwright-core';
import { type Curator, signIn } from './curator.ts';
import type { TestBrowser } from './open-browser.ts';

/** Opens a page whose account has signed in, in English, because the labels of the sign-in are. */
export async function openSignedIn(
  browser: TestBrowser,
  account: Pick<Curator, 'email' | 'password'>,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const english = await browser.openPage();
  await english.goto('/console/sign-in');
  await signIn(english, account);
  const storageState = await english.context().storageState();
  await english.context().close();
  const page = await browser.openPage({ ...options, storageState });
  browser.expectNoFaults(/status of 401/);
  return page;
}
