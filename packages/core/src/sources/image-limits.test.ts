import { expect, test } from '@jest/globals';
import { DEFAULT_IMAGE_LIMITS, imageLimitsWithin } from './image-limits.ts';

const GIB = 2 ** 30;

test('decoded pixels take a quarter of the memory, and one image always has room', () => {
  const inFlight = (memory: number) => imageLimitsWithin(memory).maxPixelsInFlight;
  expect(inFlight(4 * GIB)).toBe(Math.floor(GIB / 3));
  expect(inFlight(GIB / 8)).toBe(DEFAULT_IMAGE_LIMITS.maxPixels);
  // The budget counts in 32-bit integers.
  expect(inFlight(64 * GIB)).toBe(2 ** 31 - 1);
});
