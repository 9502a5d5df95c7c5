import { expect, test } from '@jest/globals';
import { trimWhiteSpace } from './trim-white-space.ts';

// The characters with the property White_Space in Unicode's PropList.txt.
const WHITE_SPACE =
  '\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a' +
  '\u2028\u2029\u202f\u205f\u3000';

test('removes all white space around a text, and none inside', () => {
  expect(trimWhiteSpace(`${WHITE_SPACE}Ann \u3000 Lee${WHITE_SPACE}`)).toBe('Ann \u3000 Lee');
  expect(trimWhiteSpace(WHITE_SPACE)).toBe('');
  expect(trimWhiteSpace('')).toBe('');
});

test('keeps characters without width, and emoji', () => {
  for (const text of [
    '\u200bAnn\u200b',
    '\ufeffAnn\ufeff',
    '\u2060A',
    '\u200d',
    '\u180eA',
    '🙂A🙂',
  ]) {
    expect(trimWhiteSpace(text)).toBe(text);
  }
});

test('takes a time that grows with the length alone', () => {
  const long = `a${' '.repeat(1_000_000)}b`;
  expect(trimWhiteSpace(long)).toBe(long);
});
