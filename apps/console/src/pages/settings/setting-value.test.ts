import { expect, test } from '@jest/globals';
import type { Setting } from './setting-groups.ts';
import { crossingOf, droppedLines, fromText, isSame, toText } from './setting-value.ts';

test.each([
  ['number', ' 0,5 ', 0.5],
  ['number', '1e-1', 0.1],
  ['integer', '12', 12],
  ['integer', '1.5', 1.5],
  ['number', '', ''],
  ['number', 'much', 'much'],
  ['integer', '1,000,000', '1,000,000'],
  ['number', 'Infinity', 'Infinity'],
  ['string', ' https://example.org ', 'https://example.org'],
  ['string_array', ' cat \n\ncat\ndog', ['cat', 'dog']],
  ['string_array', '', []],
] as const)('a %s that is entered as %j', (type, text, value) => {
  expect(fromText(type, text)).toEqual(value);
});

test('lists have a text per line', () => {
  expect(toText(['cat', 'dog'])).toBe('cat\ndog');
  expect(toText(0.5)).toBe('0.5');
});

test.each([
  ['', 0],
  ['cat\ndog\n', 0],
  ['cat\n\ndog\ncat', 2],
])('lines that are dropped from %j', (text, count) => {
  expect(droppedLines(text)).toBe(count);
});

test('values are compared by their content', () => {
  expect(isSame(['cat'], ['cat'])).toBe(true);
  expect(isSame(1, '1')).toBe(false);
});

test.each([
  [0.5, 0.8, null],
  [0.8, 0.5, 'confirmsAll'],
  [0.5, 0.5, 'confirmsAll'],
  [0.5, 1, 'confirmsNone'],
] as const)('a match at %d and a confirmation at %d', (match, confirm, crossing) => {
  const settings = [
    { key: 'face.match_threshold', value: match },
    { key: 'face.auto_confirm_threshold', value: confirm },
  ] as Setting[];
  expect(crossingOf(settings)).toBe(crossing);
});

test('thresholds that are absent do not cross', () => {
  expect(crossingOf([])).toBe(null);
});
