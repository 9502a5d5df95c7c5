import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { intersectionOverUnion } from '../../analysis/geometry.ts';
import { pairBoxes, type Boxed, type Pair } from './pair-boxes.ts';

const face = (x: number, y = 0): Boxed => ({
  bbox: { x, y, w: 100, h: 100 },
  type: 'face',
  className: null,
});
const object = (className: string, x = 0): Boxed => ({ ...face(x), type: 'object', className });
const indices = (pairs: readonly Pair[]) => pairs.map(({ found, stored }) => [found, stored]);

describe('pairBoxes', () => {
  test('pairs only boxes with an IoU of at least 0.5', () => {
    // A box that is shifted by a third of its width has an IoU of exactly 0.5: (2/3) / (4/3).
    const box = (x: number): Boxed => ({ ...face(0), bbox: { x, y: 0, w: 3, h: 1 } });
    expect(pairBoxes([box(0)], [box(1)])).toEqual([{ found: 0, stored: 0, iou: 0.5 }]);
    expect(pairBoxes([face(0)], [face(34)])).toEqual([]);
    expect(pairBoxes([face(0)], [face(34)], 0.4)).toHaveLength(1);
  });

  test('pairs the highest overlap first, even if another order would yield more pairs', () => {
    expect(indices(pairBoxes([face(0), face(30)], [face(20), face(60)]))).toEqual([[1, 0]]);
  });

  test('orders equal overlaps by index', () => {
    expect(indices(pairBoxes([face(0), face(0)], [face(10)]))).toEqual([[0, 0]]);
    expect(indices(pairBoxes([face(0)], [face(10), face(10)]))).toEqual([[0, 0]]);
  });

  test('pairs only boxes with the same type and class', () => {
    expect(pairBoxes([face(0)], [object('person')])).toEqual([]);
    expect(pairBoxes([object('cat')], [object('dog')])).toEqual([]);
    expect(indices(pairBoxes([object('cat')], [object('dog'), object('cat', 20)]))).toEqual([
      [0, 1],
    ]);
  });

  test('pairs a drawn object with an object of any class, but not with a face', () => {
    const drawn: Boxed = { ...face(20), type: 'object' };
    expect(indices(pairBoxes([object('cat')], [object('dog'), drawn]))).toEqual([[0, 1]]);
    expect(indices(pairBoxes([object('cat')], [drawn, object('cat')]))).toEqual([[0, 1]]);
    expect(pairBoxes([face(20)], [drawn])).toEqual([]);
  });

  test('accepts empty lists', () => {
    expect(pairBoxes([], [])).toEqual([]);
    expect(pairBoxes([face(0)], [])).toEqual([]);
    expect(pairBoxes([], [face(0)])).toEqual([]);
  });
});

// Positions and sizes come from small ranges, so that many boxes overlap or are equal.
const aBox: fc.Arbitrary<Boxed> = fc
  .record({
    bbox: fc.record({
      x: fc.integer({ min: 0, max: 12 }),
      y: fc.integer({ min: 0, max: 3 }),
      w: fc.integer({ min: 0, max: 12 }),
      h: fc.integer({ min: 1, max: 12 }),
    }),
    className: fc.constantFrom(null, 'cat', 'dog'),
  })
  .map(({ bbox, className }) => ({
    bbox,
    className,
    type: className === null ? ('face' as const) : ('object' as const),
  }));
const boxes = fc.array(aBox, { maxLength: 12 });

function overlap(a: Boxed, b: Boxed): number {
  if (a.type !== b.type || a.className !== b.className) return 0;
  return intersectionOverUnion(a.bbox, b.bbox);
}

describe('properties of pairBoxes', () => {
  test('each box is in at most one pair', () => {
    fc.assert(
      fc.property(boxes, boxes, (found, stored) => {
        const pairs = pairBoxes(found, stored);
        expect(new Set(pairs.map((pair) => pair.found)).size).toBe(pairs.length);
        expect(new Set(pairs.map((pair) => pair.stored)).size).toBe(pairs.length);
      }),
    );
  });

  test('every pair has one type and class, an IoU of at least 0.5, and reports the IoU', () => {
    fc.assert(
      fc.property(boxes, boxes, (found, stored) => {
        for (const pair of pairBoxes(found, stored)) {
          expect(pair.iou).toBe(overlap(found[pair.found]!, stored[pair.stored]!));
          expect(pair.iou).toBeGreaterThanOrEqual(0.5);
        }
      }),
    );
  });

  test('two overlapping boxes are unpaired only if one of them is in a pair with the same or a higher IoU', () => {
    fc.assert(
      fc.property(boxes, boxes, (found, stored) => {
        const pairs = pairBoxes(found, stored);
        for (const [i, a] of found.entries()) {
          for (const [j, b] of stored.entries()) {
            const iou = overlap(a, b);
            if (iou < 0.5) continue;
            const competing = pairs.filter((pair) => pair.found === i || pair.stored === j);
            expect(Math.max(...competing.map((pair) => pair.iou))).toBeGreaterThanOrEqual(iou);
          }
        }
      }),
    );
  });

  test('the order of the lists does not matter if all overlaps differ', () => {
    const shuffled = fc
      .tuple(boxes, boxes)
      .filter(([found, stored]) => {
        const ious = found
          .flatMap((a) => stored.map((b) => overlap(a, b)))
          .filter((iou) => iou >= 0.5);
        return new Set(ious).size === ious.length;
      })
      .chain(([found, stored]) =>
        fc.record({
          found: fc.constant(found),
          stored: fc.constant(stored),
          foundOrder: permutationOf(found.length),
          storedOrder: permutationOf(stored.length),
        }),
      );
    fc.assert(
      fc.property(shuffled, ({ found, stored, foundOrder, storedOrder }) => {
        const pairs = pairBoxes(
          foundOrder.map((i) => found[i]!),
          storedOrder.map((i) => stored[i]!),
        );
        const back = pairs.map((pair) => ({
          found: foundOrder[pair.found]!,
          stored: storedOrder[pair.stored]!,
          iou: pair.iou,
        }));
        expect(back).toEqual(pairBoxes(found, stored));
      }),
    );
  });

  test('equal lists are paired box by box', () => {
    const distinct = fc.uniqueArray(
      aBox.filter(({ bbox }) => bbox.w > 0),
      { maxLength: 20, selector: (box) => JSON.stringify(box) },
    );
    fc.assert(
      fc.property(distinct, (found) => {
        const pairs = pairBoxes(found, found);
        expect(pairs).toEqual(found.map((_, i) => ({ found: i, stored: i, iou: 1 })));
      }),
    );
  });
});

function permutationOf(length: number): fc.Arbitrary<number[]> {
  return fc.shuffledSubarray([...Array(length).keys()], { minLength: length });
}
