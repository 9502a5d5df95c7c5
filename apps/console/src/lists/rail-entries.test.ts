import { expect, test } from '@jest/globals';
import { railEntries } from './rail-entries.ts';

const startsOf = (...firsts: (string | null)[]) =>
  firsts.map((first, at) => ({ index: at * 200, first }));
const yearOf = (first: string | number | null) =>
  first === null ? null : String(first).slice(0, 4);

test('the rail leads to where the text changes', () => {
  expect(railEntries(startsOf('2026-11', '2026-02', '2025-07', null), yearOf)).toEqual([
    { index: 0, text: '2026' },
    { index: 400, text: '2025' },
  ]);
});

test('a list with a single text has no rail', () => {
  expect(railEntries(startsOf('2026-11', '2026-02'), yearOf)).toEqual([]);
  expect(railEntries([], yearOf)).toEqual([]);
});

test('a rail has few entries', () => {
  const years = Array.from({ length: 100 }, (_, at) => String(2100 - at));
  const entries = railEntries(startsOf(...years), yearOf);
  expect(entries).toHaveLength(18);
  expect(entries[0]).toEqual({ index: 0, text: '2100' });
});
