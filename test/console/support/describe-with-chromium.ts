import { describe } from '@jest/globals';
import { skipWithout } from '../../support/gates/skip-without.ts';
import { pathOfChromium } from './chromium.ts';

/** Describes a suite that needs a Chromium. It is skipped if there is none. */
export function describeWithChromium(name: string, body: () => void): void {
  if (pathOfChromium() !== null) describe(name, body);
  else skipWithout('a Chromium: SIGHTLINE_TEST_CHROMIUM, or "make browser"', name, body);
}
