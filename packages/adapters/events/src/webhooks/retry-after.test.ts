import { expect, test } from '@jest/globals';
import { retryAfterMs } from './retry-after.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');

test.each([
  ['120', 120_000],
  [' 5 ', 5_000],
  ['Thu, 01 Jan 2026 00:01:00 GMT', 60_000],
  ['Wed, 31 Dec 2025 23:59:00 GMT', null],
  ['0', null],
  ['-5', null],
  ['soon', null],
  ['', null],
  [undefined, null],
  [['5', '6'], null],
])('%j asks for %p ms', (header, ms) => {
  expect(retryAfterMs(header, NOW)).toBe(ms);
});
