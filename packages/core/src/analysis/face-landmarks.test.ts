import { describe, expect, test } from '@jest/globals';
import { arePlausible, nearestTurn, rollOf } from './face-landmarks.ts';
import type { Point } from './geometry.ts';

const BOX = { x: 100, y: 200, w: 80, h: 100 };
const FACE: readonly Point[] = [
  { x: 122, y: 239 },
  { x: 158, y: 239 },
  { x: 140, y: 258 },
  { x: 126, y: 274 },
  { x: 154, y: 274 },
];
/** A real profile: eyes and corners of the mouth nearly coincide, and the nose lies beside the axis. */
const PROFILE: readonly Point[] = [
  { x: 112, y: 238 },
  { x: 117, y: 235 },
  { x: 104, y: 255 },
  { x: 115, y: 276 },
  { x: 117, y: 274 },
];

function turned(points: readonly Point[], degrees: number): readonly Point[] {
  const angle = (degrees * Math.PI) / 180;
  return points.map(({ x, y }) => ({
    x: 140 + Math.cos(angle) * (x - 140) - Math.sin(angle) * (y - 250),
    y: 250 + Math.sin(angle) * (x - 140) + Math.cos(angle) * (y - 250),
  }));
}

const moved = (index: number, dx: number, dy: number) =>
  FACE.map((point, i) => (i === index ? { x: point.x + dx, y: point.y + dy } : point));
const swapped = (order: readonly number[]) => order.map((index) => FACE[index]!);

describe('arePlausible', () => {
  test.each([0, 45, 90, 135, 180, 225, 270, 315])('accepts a face turned by %d degrees', (roll) => {
    expect(arePlausible(turned(FACE, roll), BOX)).toBe(true);
  });

  test('accepts a profile, and a face half of which is outside the image', () => {
    expect(arePlausible(PROFILE, BOX)).toBe(true);
    expect(arePlausible(FACE, { ...BOX, x: 140, w: 40 })).toBe(true);
  });

  test('accepts a face in a box that was drawn around head and shoulders', () => {
    expect(arePlausible(FACE, { x: 40, y: 160, w: 200, h: 220 })).toBe(true);
  });

  test.each([
    ['eyes below the mouth', swapped([3, 4, 2, 0, 1])],
    ['the left eye on the right', swapped([1, 0, 2, 3, 4])],
    ['the corners of the mouth swapped', swapped([0, 1, 2, 4, 3])],
    ['the nose above the eyes', moved(2, 0, -30)],
    ['the nose below the mouth', moved(2, 0, 30)],
    ['the nose beside the face', moved(2, 60, 0)],
    ['one eye far above the other', moved(1, 0, -25)],
    ['one corner of the mouth far below the other', moved(4, 0, 25)],
    ['all points at one place', FACE.map(() => ({ x: 140, y: 250 }))],
    [
      'a face far smaller than its box',
      FACE.map(({ x, y }) => ({ x: x / 10 + 126, y: y / 10 + 225 })),
    ],
    ['a face beside its box', FACE.map(({ x, y }) => ({ x: x + 160, y }))],
    ['points that are no numbers', FACE.map(() => ({ x: NaN, y: NaN }))],
  ])('refuses %s', (_, landmarks) => {
    expect(arePlausible(landmarks, BOX)).toBe(false);
  });
});

test.each([0, 20, 90, 170, -20, -90, -170])('a face turned by %d degrees has that roll', (roll) => {
  expect(rollOf(turned(FACE, roll))).toBeCloseTo(roll);
});

test.each([
  [0, 0],
  [-44, 0],
  [46, 90],
  [-90, 270],
  [179, 180],
  [-179, 180],
  [316, 0],
])('the quarter turn nearest to %d degrees is %d', (degrees, turn) => {
  expect(nearestTurn(degrees)).toBe(turn);
});
