import { expect, test } from '@jest/globals';
import { type Card } from './card.ts';
import { orderCards } from './card-order.ts';

const cards = [1, 2, 3, 4].map((face) => ({ face }) as Card);
const NOTHING: ReadonlySet<number> = new Set();

test('faces that were decided about or put off are left out, and those that came back are on top', () => {
  const order = (decided: number[], returned: number[], later: number[] = []) =>
    orderCards({
      cards,
      later: new Set(later),
      decisions: {
        decided: new Set(decided),
        returned: returned.map((face) => ({ face, error: null })),
      },
    }).map(({ face }) => face);
  expect(order([], [])).toEqual([1, 2, 3, 4]);
  expect(order([1, 2], [])).toEqual([3, 4]);
  expect(order([1], [4, 2])).toEqual([4, 2, 3]);
  expect(order([], [], [1, 3])).toEqual([2, 4]);
  expect(order([], [3], [3])).toEqual([3, 1, 2, 4]);
  // The service's list no longer has the face.
  expect(order([], [9])).toEqual([1, 2, 3, 4]);
  expect(
    orderCards({ cards: [], later: NOTHING, decisions: { decided: NOTHING, returned: [] } }),
  ).toEqual([]);
});
