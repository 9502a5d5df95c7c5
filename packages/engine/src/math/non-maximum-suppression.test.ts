import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { nonMaximumSuppression } from './non-maximum-suppression.ts';

const box = fc
  .tuple(fc.nat(50), fc.nat(50), fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 30 }))
  .map(([x, y, w, h]) => [x, y, x + w, y + h] as const);
const scored = fc.array(fc.tuple(box, fc.integer({ min: 0, max: 4 })), { maxLength: 25 });

function suppress(items: readonly (readonly [readonly number[], number])[], threshold: number) {
  return nonMaximumSuppression(
    Float32Array.from(items.flatMap(([corners]) => corners)),
    Float32Array.from(items.map(([, score]) => score)),
    threshold,
  );
}

describe('nonMaximumSuppression', () => {
  const first = [0, 0, 10, 10];
  const half = [0, 0, 10, 5];

  test('keeps the best of overlapping boxes and separate boxes, best first', () => {
    const apart = [50, 50, 60, 60];
    expect(
      suppress(
        [
          [first, 0.5],
          [half, 0.9],
          [apart, 0.7],
        ],
        0.4,
      ),
    ).toEqual([1, 2]);
  });

  test('keeps a box whose IoU is exactly the threshold', () => {
    const pair = [
      [first, 0.9],
      [half, 0.8],
    ] as const;
    expect(suppress(pair, 0.5)).toEqual([0, 1]);
    expect(suppress(pair, 0.49)).toEqual([0]);
  });

  test('compares only with kept boxes: the neighbor of a suppressed box stays', () => {
    const chain = [0, 4, 8].map((x, i) => [[x, 0, x + 10, 10], 0.9 - i / 10] as const);
    expect(suppress(chain, 0.4)).toEqual([0, 2]);
  });

  test('keeps the lower index of equal boxes with equal scores', () => {
    expect(
      suppress(
        [
          [first, 0.5],
          [first, 0.5],
        ],
        0.4,
      ),
    ).toEqual([0]);
  });

  test('returns nothing for no boxes', () => {
    expect(suppress([], 0.4)).toEqual([]);
  });

  test('kept boxes do not overlap, and every other one overlaps a better kept one', () => {
    fc.assert(
      fc.property(scored, (items) => {
        const kept = suppress(items, 0.3);
        const clash = (a: number, b: number) => suppress([items[a]!, items[b]!], 0.3).length === 1;
        for (const i of kept) for (const j of kept) expect(i !== j && clash(i, j)).toBe(false);
        for (const i of items.keys()) {
          if (kept.includes(i)) continue;
          expect(kept.some((j) => clash(i, j) && items[j]![1] >= items[i]![1])).toBe(true);
        }
      }),
    );
  });
});
