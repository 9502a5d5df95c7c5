import { describe } from '@jest/globals';
import { hasShared } from '../fixtures/shared.ts';

/**
 * Skips a suite, and names in its title what it needs from the shared folder.
 *
 * @throws Error in CI where the shared folder is: CI must not pass without these tests
 */
export function skipWithout(needed: string, name: string, body: () => void): void {
  if (process.env.CI === 'true' && hasShared()) throw new Error(`"${name}" needs ${needed}.`);
  describe.skip(`${name} [skipped: needs ${needed}]`, body);
}
