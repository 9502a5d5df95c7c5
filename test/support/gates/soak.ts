import { describe, test } from '@jest/globals';

/** Whether the run takes the long tests, too: `make soak`. */
export const IS_SOAK = process.env.SIGHTLINE_TEST_SOAK === '1';

/** Returns all cases in a soak, else the first `count`, which must be the most different ones. */
export function sampled<T>(cases: readonly T[], count: number): readonly T[] {
  return IS_SOAK ? cases : cases.slice(0, count);
}

/** Returns all cases in a soak, else each third one: for cases of which none is more different than others. */
export function thirdOf<T>(cases: readonly T[], first: 0 | 1 | 2): readonly T[] {
  return IS_SOAK ? cases : cases.filter((_, index) => index % 3 === first);
}

/** A test that takes long for what it finds beyond its neighbors: other runs than a soak do not have it. */
export function testInSoak(name: string, body: () => Promise<void>): void {
  if (IS_SOAK) test(name, body);
}

/** Tests that only a soak runs, with hooks of their own. */
export function describeInSoak(name: string, body: () => void): void {
  if (IS_SOAK) describe(name, body);
}
