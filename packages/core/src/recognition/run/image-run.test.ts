import { expect, test } from '@jest/globals';
import { mostCertainFace } from './image-run.ts';

const face = (confidence: number, size = 10) => ({
  confidence,
  bbox: { x: 0, y: 0, w: size, h: size },
});

test.each([
  ['none of an empty list', [], -1],
  ['the only face', [face(0.1)], 0],
  ['the face with the highest score', [face(0.7, 90), face(0.9), face(0.8, 90)], 1],
  ['the largest face with the highest score', [face(0.9, 10), face(0.9, 30), face(0.9, 20)], 1],
  ['the first of equal faces', [face(0.9), face(0.9)], 0],
])('the most certain face is %s', (_, faces, index) => {
  expect(mostCertainFace(faces)).toBe(index);
});
