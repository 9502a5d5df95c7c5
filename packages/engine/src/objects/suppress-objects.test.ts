import { describe, expect, test } from '@jest/globals';
import type { ObjectCandidate } from './object-candidate.ts';
import { suppressObjects } from './suppress-objects.ts';

const box = (x1: number, score: number, classId = 0): ObjectCandidate => ({
  x1,
  y1: 0,
  x2: x1 + 100,
  y2: 100,
  score,
  classId,
});

describe('suppressObjects', () => {
  test('keeps the best of overlapping objects, best first', () => {
    // Shifted by 10 of 100 pixels, two boxes overlap by 90/110. Shifted by 20, they overlap by
    // 80/120.
    expect(suppressObjects([box(20, 0.5), box(10, 0.7), box(0, 0.9)])).toEqual([
      box(0, 0.9),
      box(20, 0.5),
    ]);
  });

  test('keeps overlapping objects of different classes', () => {
    expect(suppressObjects([box(0, 0.4, 1), box(0, 0.6, 2), box(0, 0.5, 1)])).toEqual([
      box(0, 0.6, 2),
      box(0, 0.5, 1),
    ]);
  });

  test('returns at most 300', () => {
    const apart = Array.from({ length: 400 }, (_, i) => box(i * 200, (i + 1) / 400));
    const kept = suppressObjects(apart);
    expect(kept).toHaveLength(300);
    expect(kept[0]!.score).toBe(1);
    expect(kept.at(-1)!.score).toBe(101 / 400);
  });
});
