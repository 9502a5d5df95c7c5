import { describe } from '@jest/globals';
import { hasShared } from '../fixtures/shared.ts';

/**
 * Skips a suite, and names in its title what it needs.
 *
 * @throws Error in CI if the shared folder exists, because CI must not pass without these tests
 */
export function skipWithout(needed: string, name: string, body: () => void): void {
  if (process.env.CI === 'true' && hasShared()) throw new Error(`"${name}" needs ${needed}.`);
  describe.skip(`${name} [skipped: needs ${needed}]`, body);
}
