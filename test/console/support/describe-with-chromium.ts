import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { describe } from '@jest/globals';
import { skipWithout } from '../../support/gates/skip-without.ts';

const FIND_CHROMIUM = resolve(import.meta.dirname, '../../../scripts/find-chromium');

/** Describes a suite that needs a Chromium. It is skipped if there is none. */
export function describeWithChromium(name: string, body: () => void): void {
  if (pathOfChromium() !== null) describe(name, body);
  else skipWithout('a Chromium: SIGHTLINE_TEST_CHROMIUM, or "make browser"', name, body);
}

/** The Chromium that the environment names, or that of the machine; null if there is none. */
export function pathOfChromium(): string | null {
  try {
    return execFileSync(FIND_CHROMIUM, { encoding: 'utf8' }).trim();
  } catch {
    return null;
  }
}
