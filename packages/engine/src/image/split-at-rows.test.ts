import { expect, test } from '@jest/globals';
import { splitAtRows } from './split-at-rows.ts';

const rows = (count: number) => ({ rowBytes: 4, rows: count });
const split = (packed: readonly number[], count = 2) => {
  const bytes = splitAtRows(Uint8Array.from(packed), rows(count));
  return bytes && [...bytes];
};

test('runs within rows stay as they are', () => {
  expect(split([253, 7, 253, 8])).toBeNull();
  expect(split([0, 1, 2, 2, 3, 4, 128, 253, 8])).toBeNull();
});

test.each([
  ['repeated bytes', [249, 7], [253, 7, 253, 7]],
  ['repeated bytes, of which one is behind the row', [252, 7, 254, 8], [253, 7, 0, 7, 254, 8]],
  ['different bytes', [7, 1, 2, 3, 4, 5, 6, 7, 8], [3, 1, 2, 3, 4, 3, 5, 6, 7, 8]],
  ['runs behind a head that stands for nothing', [128, 249, 7], [253, 7, 253, 7]],
])('a run is split at the end of a row: %s', (_of, packed, expected) => {
  expect(split(packed)).toEqual(expected);
});

test('a run over many rows is split at each of them', () => {
  expect(split([241, 7], 4)).toEqual([253, 7, 253, 7, 253, 7, 253, 7]);
});

test('bytes behind the last row are kept', () => {
  expect(split([246, 7, 1, 5, 6], 2)).toEqual([253, 7, 253, 7, 254, 7, 1, 5, 6]);
});

test('a run that is cut off is kept', () => {
  expect(split([253])).toBeNull();
  expect(split([3, 1, 2])).toBeNull();
  expect(split([249, 7, 3, 1], 3)).toEqual([253, 7, 253, 7, 3, 1]);
});

test('a run that extends far beyond the last row has room', () => {
  const literal = Uint8Array.from({ length: 129 }, (_, i) => (i === 0 ? 127 : i));
  expect(splitAtRows(literal, { rowBytes: 1, rows: 1 })).toHaveLength(256);
});
