import { expect, test } from '@jest/globals';
import { InvalidSearchText, requireSearchText } from './search-text.ts';

test.each([
  [' Ada ', 'Ada'],
  ['\u3000王\u0085', '王'],
  ['x'.repeat(200), 'x'.repeat(200)],
  ['😀'.repeat(200), '😀'.repeat(200)],
  [` ${'x'.repeat(200)} `, 'x'.repeat(200)],
])('%j is searched for as %j', (given, text) => {
  expect(requireSearchText(given)).toBe(text);
});

test.each(['', ' \t\n', 'x'.repeat(201), '😀'.repeat(201)])('%j is refused', (given) => {
  expect(() => requireSearchText(given)).toThrow(InvalidSearchText);
});
