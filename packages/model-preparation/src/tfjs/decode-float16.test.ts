import { expect, test } from '@jest/globals';
import { decodeFloat16 } from './decode-float16.ts';

test.each([
  [0x0000, 0],
  [0x8000, -0],
  [0x0001, 2 ** -24],
  [0x83ff, -1023 * 2 ** -24],
  [0x0400, 2 ** -14],
  [0x3555, 0.333251953125],
  [0x3c00, 1],
  [0xc580, -5.5],
  [0x7bff, 65504],
  [0x7c00, Infinity],
  [0xfc00, -Infinity],
  [0x7e00, NaN],
])('0x%s is %p', (bits, value) => {
  // The leading byte makes the offset odd, which must work.
  const bytes = Uint8Array.of(255, bits & 255, bits >> 8).subarray(1);
  expect(decodeFloat16(bytes)).toEqual(Float32Array.of(value));
});
