import { expect, test } from '@jest/globals';
import { compareReleases } from './compare-releases.ts';

test('compares releases by their numbers, and a release candidate like its release', () => {
  const ordered = ['0.1.0', '0.2.0', '0.10.0', '0.10.2', '1.0.0'];
  expect([...ordered].reverse().sort(compareReleases)).toEqual(ordered);
  expect(compareReleases('1.2.3', '1.2.3')).toBe(0);
  expect(compareReleases('1.2.3-rc.1', '1.2.3+build')).toBe(0);
  for (const wrong of ['', '1.2', 'v1.2.3', '1.2.3.4', 'next']) {
    expect(() => compareReleases('1.2.3', wrong)).toThrow(RangeError);
  }
});
