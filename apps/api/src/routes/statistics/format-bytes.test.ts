import { expect, test } from '@jest/globals';
import { formatBytes } from './format-bytes.ts';

test.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1024, '1.00 KiB'],
  [15_000, '14.6 KiB'],
  [1024 ** 2 - 1, '1024 KiB'],
  [1024 ** 2, '1.00 MiB'],
  [5e11, '466 GiB'],
  [2 ** 53, '8.00 PiB'],
])('%i bytes are %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});
