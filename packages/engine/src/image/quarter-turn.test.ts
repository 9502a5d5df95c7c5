import { describe, expect, test } from '@jest/globals';
import type { QuarterTurn } from '@sightline/core/analysis/image-analyzer';
import { applyAffine } from '../math/affine.ts';
import { mapFromTurned, turnImage } from './quarter-turn.ts';

/** Two rows of three pixels with the red values 0 to 5. */
const IMAGE = {
  data: Uint8Array.from({ length: 18 }, (_, i) => (i % 3 === 0 ? i / 3 : 100 + i)),
  width: 3,
  height: 2,
};

function rows({ data, width }: { readonly data: Uint8Array; readonly width: number }) {
  const reds = Array.from(data).filter((_, i) => i % 3 === 0);
  return Array.from({ length: reds.length / width }, (_, row) =>
    reds.slice(row * width, (row + 1) * width),
  );
}

describe('turnImage', () => {
  test.each<[QuarterTurn, number[][]]>([
    [
      0,
      [
        [0, 1, 2],
        [3, 4, 5],
      ],
    ],
    [
      90,
      [
        [3, 0],
        [4, 1],
        [5, 2],
      ],
    ],
    [
      180,
      [
        [5, 4, 3],
        [2, 1, 0],
      ],
    ],
    [
      270,
      [
        [2, 5],
        [1, 4],
        [0, 3],
      ],
    ],
  ])('turns by %d degrees clockwise', (turn, expected) => {
    const turned = turnImage(IMAGE, turn);
    expect([turned.width, turned.height]).toEqual([expected[0]!.length, expected.length]);
    expect(rows(turned)).toEqual(expected);
    const { data } = turned;
    for (let i = 0; i < data.length; i += 3) {
      expect([data[i + 1], data[i + 2]]).toEqual([101 + 3 * data[i]!, 102 + 3 * data[i]!]);
    }
  });
});

describe('mapFromTurned', () => {
  test.each<[QuarterTurn, object]>([
    [0, { x: 1, y: 0.5 }],
    [90, { x: 0.5, y: 1 }],
    [180, { x: 2, y: 1.5 }],
    [270, { x: 2.5, y: 1 }],
  ])('maps a point of an image turned by %d degrees', (turn, expected) => {
    expect(applyAffine(mapFromTurned(IMAGE, turn), { x: 1, y: 0.5 })).toEqual(expected);
  });
});
