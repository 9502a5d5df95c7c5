import { expect, test } from '@jest/globals';
import { toCsv } from './to-csv.ts';

test('cells are quoted where they have to be', () => {
  expect(
    toCsv([
      ['a', 1, null],
      ['b,c', 'say "no"', 'two\nlines'],
    ]),
  ).toBe('a,1,\r\n"b,c","say ""no""","two\nlines"\r\n');
});

test('texts are never formulas', () => {
  expect(toCsv([['=1+1', '+1', '-1', '@x', -1]])).toBe("'=1+1,'+1,'-1,'@x,-1\r\n");
});
