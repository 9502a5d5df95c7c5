import { expect, test } from '@jest/globals';
import { matchBoxes } from './match-boxes.ts';

const box = (name: string, x: number, w = 10) => ({ name, bbox: { x, y: 0, w, h: 10 } });

const names = (boxes: readonly { readonly name: string }[]) => boxes.map(({ name }) => name);

test('boxes that overlap enough are a pair; the others are missed or extra', () => {
  const { pairs, missed, extra } = matchBoxes(
    [box('a', 1), box('b', 53), box('c', 200)],
    [box('A', 0), box('B', 50), box('D', 300)],
    { least: 0.6 },
  );
  expect(pairs.map(({ found, expected }) => found.name + expected.name)).toEqual(['aA']);
  expect(pairs[0]!.overlap).toBeCloseTo(9 / 11, 9);
  expect(names(missed)).toEqual(['B', 'D']);
  expect(names(extra)).toEqual(['b', 'c']);
});

test('the largest overlap comes first, and each box has one partner', () => {
  const { pairs, extra } = matchBoxes([box('near', 2), box('same', 0)], [box('A', 0)], {
    least: 0.5,
  });
  expect(pairs.map(({ found }) => found.name)).toEqual(['same']);
  expect(names(extra)).toEqual(['near']);
});

test('boxes of other classes are no pair', () => {
  const { pairs, missed } = matchBoxes([box('cat', 0)], [box('dog', 0)], {
    least: 0.5,
    alike: (found, expected) => found.name === expected.name,
  });
  expect(pairs).toEqual([]);
  expect(names(missed)).toEqual(['dog']);
});
