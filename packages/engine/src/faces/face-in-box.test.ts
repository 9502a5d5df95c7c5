import { describe, expect, test } from '@jest/globals';
import type { Corners } from '../math/corners.ts';
import type { FaceCandidate } from './face-candidate.ts';
import { faceInBox } from './face-in-box.ts';

const BOX: Corners = { x1: 100, y1: 100, x2: 190, y2: 190 };

function face(x: number, y: number, side: number): FaceCandidate {
  const point = { x, y };
  return {
    box: { x1: x, y1: y, x2: x + side, y2: y + side },
    score: 0.9,
    landmarks: [point, point, point, point, point],
  };
}

describe('faceInBox', () => {
  test.each([
    ['the box itself', face(100, 100, 90), true],
    ['one with an IoU of 0.3 and its center outside', face(146, 100, 90), true],
    ['one with a lower IoU and its center outside', face(156, 100, 90), false],
    ['a larger one around the box', face(80, 80, 150), true],
    ['one that is far larger', face(40, 40, 210), false],
    ['one with a third of each side, inside', face(150, 150, 30), true],
    ['a smaller one inside', face(130, 130, 29), false],
    ['one beside the box', face(300, 100, 90), false],
  ])('%s: %#', (_what, candidate, meant) => {
    expect(faceInBox([candidate], BOX)).toBe(meant ? candidate : null);
  });

  test('takes the face with the largest IoU, whatever the order', () => {
    const [loose, close] = [face(110, 110, 40), face(105, 105, 80)];
    expect(faceInBox([loose, close], BOX)).toBe(close);
    expect(faceInBox([close, loose], BOX)).toBe(close);
  });

  test('ignores faces without landmarks', () => {
    const blind = { ...face(100, 100, 90), landmarks: null };
    const second = face(110, 110, 60);
    expect(faceInBox([blind, second], BOX)).toBe(second);
    expect(faceInBox([blind], BOX)).toBeNull();
  });
});
