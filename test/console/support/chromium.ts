import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const FIND_CHROMIUM = resolve(import.meta.dirname, '../../../scripts/find-chromium');

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

/** The Chromium that the environment names, or that of the machine; null if there is none. */
export function pathOfChromium(): string | null {
  try {
    return execFileSync(FIND_CHROMIUM, { encoding: 'utf8' }).trim();
  } catch {
    return null;
  }
}

/** @throws Error if there is no Chromium */
export async function launchChromium(): Promise<Browser> {
  const executablePath = pathOfChromium();
  if (executablePath === null) {
    throw new Error('There is no Chromium: set SIGHTLINE_TEST_CHROMIUM, or run "make browser".');
  }
  return chromium.launch({ executablePath, args: ARGUMENTS });
}
