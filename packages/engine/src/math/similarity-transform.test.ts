import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { similarityTransform } from './similarity-transform.ts';

const square = [
  { x: 0, y: 0 },
  { x: 1, y: 0 },
  { x: 1, y: 1 },
  { x: 0, y: 1 },
];

const coordinate = fc.double({ min: -500, max: 500, noNaN: true });
const point = fc.record({ x: coordinate, y: coordinate });

describe('similarityTransform', () => {
  test('finds a quarter turn, doubled and shifted', () => {
    const turned = square.map(({ x, y }) => ({ x: 10 - 2 * y, y: 20 + 2 * x }));
    const found = similarityTransform(square, turned)!;
    expect(found.a).toBeCloseTo(0, 12);
    expect(found.c).toBeCloseTo(2, 12);
    expect(found.b).toBe(-found.c);
    expect(found.d).toBe(found.a);
    expect([found.tx, found.ty].map((value) => Math.round(value * 1e9) / 1e9)).toEqual([10, 20]);
  });

  test('recovers a known transform from any points that do not coincide', () => {
    fc.assert(
      fc.property(
        fc.array(point, { minLength: 2, maxLength: 8 }),
        fc.record({
          angle: fc.double({ min: -3, max: 3, noNaN: true }),
          scale: fc.double({ min: 0.05, max: 20, noNaN: true }),
          shift: point,
        }),
        (points, { angle, scale, shift }) => {
          fc.pre(points.some(({ x, y }) => Math.hypot(x - points[0]!.x, y - points[0]!.y) > 1));
          const a = scale * Math.cos(angle);
          const c = scale * Math.sin(angle);
          const moved = points.map(({ x, y }) => ({
            x: a * x - c * y + shift.x,
            y: c * x + a * y + shift.y,
          }));
          const found = similarityTransform(points, moved)!;
          expect(found.a).toBeCloseTo(a, 6);
          expect(found.c).toBeCloseTo(c, 6);
          expect(found.tx).toBeCloseTo(shift.x, 4);
          expect(found.ty).toBeCloseTo(shift.y, 4);
        },
      ),
    );
  });

  test('rotates mirrored points, but never mirrors', () => {
    // The best match for a mirrored long rectangle is the slightly shrunk rectangle without
    // rotation.
    const long = square.map(({ x, y }) => ({ x: 4 * x, y }));
    const found = similarityTransform(
      long,
      long.map(({ x, y }) => ({ x, y: 1 - y })),
    )!;
    expect(found.a * found.d - found.b * found.c).toBeGreaterThan(0);
    expect(found.a).toBeCloseTo(15 / 17, 12);
    expect(found.c).toBeCloseTo(0, 12);
  });

  test('is null if nothing is determined', () => {
    const heap = square.map(() => ({ x: 3, y: 3 }));
    expect(similarityTransform(heap, square)).toBeNull();
    expect(similarityTransform(square, heap)).toBeNull();
  });
});
