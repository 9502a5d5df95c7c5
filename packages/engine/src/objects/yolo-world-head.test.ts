import { expect, test } from '@jest/globals';
import { decodeYoloWorld } from './yolo-world-head.ts';

const tensor = (dims: readonly number[], values: readonly number[]) => ({
  data: Float32Array.from(values),
  dims,
});
const BOXES = tensor([1, 2, 4], [1, 2, 3, 4, 5, 6, 7, 8]);

test('a cell is of the phrase that scores best, if it exceeds the threshold', () => {
  const scores = tensor([1, 2, 3], [0.125, 0.75, 0.5, 0.5, 0.25, 0.125]);
  expect(decodeYoloWorld({ scores, boxes: BOXES }, 0.5)).toEqual([
    { x1: 1, y1: 2, x2: 3, y2: 4, score: 0.75, classId: 1 },
  ]);
});

test.each([
  ['cells that differ', tensor([1, 1, 2], [0, 0])],
  ['no phrases', tensor([1, 2, 0], [])],
  ['two dimensions', tensor([2, 1], [0, 0])],
])('refused: %s', (_, scores) => {
  expect(() => decodeYoloWorld({ scores, boxes: BOXES }, 0.5)).toThrow(RangeError);
});
