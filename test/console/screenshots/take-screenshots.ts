import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import sharp from 'sharp';
import { launchChromium } from '../support/chromium.ts';
import { consoleAddresses, type Subjects } from '../support/console-addresses.ts';
import { type Curator, signIn } from '../support/curator.ts';
import { sidewaysScroll, untilComplete, visitPage } from '../support/visit-page.ts';
import { WatchedBrowser } from '../support/watched-browser.ts';
import { writeContactSheet } from './contact-sheet.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const OUT = join(ROOT, '.cache/screenshots');
const DOCS = join(ROOT, 'docs/images');

/** The looks, each in another language, so that both are seen at each width. */
const LOOKS = [
  { look: 'light', locale: 'en-US' },
  { look: 'dark', locale: 'de-DE' },
] as const;
const WIDTHS = [360, 768, 1440];
/** The pictures of the README, with the addresses of their pages. */
const FOR_DOCS: Readonly<Record<string, string>> = {
  people: '/people',
  image: '/images/$image',
};

export interface ScreenshotOptions {
  readonly url: string;
  readonly curator: Curator;
  readonly subjects: Subjects;
  /** A part of the addresses that are opened; empty for all. */
  readonly only: string;
  /** Whether the pictures of the README are written, too. */
  readonly forDocs: boolean;
}

/**
 * Writes a picture of each page of the console in each look and width.
 *
 * @returns a sentence about each page that scrolls sideways or reports an error
 */
export async function takeScreenshots(options: ScreenshotOptions): Promise<readonly string[]> {
  await rm(OUT, { recursive: true, force: true });
  await mkdir(OUT, { recursive: true });
  await using browser = new WatchedBrowser(await launchChromium(), options.url);
  if (options.forDocs) await takeForDocs(browser, options);
  const faults: string[] = [];
  for (const { look, locale } of LOOKS) {
    for (const width of WIDTHS) {
      const context = { locale, colorScheme: look, viewport: { width, height: 900 } };
      const page = await signedInPage(browser, options.curator, context);
      const taken = await takeAll({ page, browser, name: `${width}-${look}` }, options);
      faults.push(...taken);
      await page.context().close();
    }
  }
  console.error(`The screenshots are in ${OUT}.`);
  return faults;
}

interface Series {
  readonly page: Page;
  readonly browser: WatchedBrowser;
  readonly name: string;
}

async function takeAll(
  { page, browser, name }: Series,
  { curator, subjects, only }: ScreenshotOptions,
): Promise<readonly string[]> {
  const faults: string[] = [];
  const pictures: string[] = [];
  for (const address of await consoleAddresses(subjects)) {
    if (!address.includes(only)) continue;
    await visitPage(page, `/console/${curator.environment}${address}`);
    const wider = await sidewaysScroll(page);
    const found = browser.takeFaults();
    faults.push(
      ...(wider > 0 ? [`${name} ${address}: it scrolls sideways by ${wider} px`] : []),
      ...found.map((fault) => `${name} ${address}: ${fault}`),
    );
    const path = join(OUT, `${name}${address.replaceAll(/\W+/g, '-')}.png`);
    await page.screenshot({ path, fullPage: true });
    pictures.push(path);
  }
  await writeContactSheet(join(OUT, `sheet-${name}.png`), pictures);
  console.error(`${name}: ${pictures.length} pages`);
  return faults;
}

async function signedInPage(
  browser: WatchedBrowser,
  curator: Curator,
  options: BrowserContextOptions,
): Promise<Page> {
  // The language of an account is that of its browser until a person chooses one.
  const english = await browser.openPage();
  await english.goto('/console/sign-in');
  await signIn(english, curator);
  const storageState = await english.context().storageState();
  await english.context().close();
  const page = await browser.openPage({ ...options, storageState });
  browser.takeFaults();
  return page;
}

async function takeForDocs(
  browser: WatchedBrowser,
  { curator, subjects }: ScreenshotOptions,
): Promise<void> {
  const options = { viewport: { width: 1100, height: 640 }, colorScheme: 'light' } as const;
  const page = await signedInPage(browser, curator, options);
  for (const [name, address] of Object.entries(FOR_DOCS)) {
    await visitPage(
      page,
      `/console/${curator.environment}${address.replace('$image', String(subjects.image))}`,
    );
    await untilComplete(page);
    // A palette keeps the files small.
    const picture = sharp(await page.screenshot()).png({ palette: true, colors: 128, effort: 10 });
    await writeFile(join(DOCS, `console-${name}.png`), await picture.toBuffer());
  }
}
