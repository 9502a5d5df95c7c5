import { describe, expect, test } from '@jest/globals';
import type { FloatTensor } from '../onnx/session.ts';
import { decodeYoloV5 } from './yolo-v5-head.ts';
import { decodeYoloV8 } from './yolo-v8-head.ts';
import { decodeYolox } from './yolox-head.ts';

function tensor(rows: readonly (readonly number[])[]): FloatTensor {
  return { data: Float32Array.from(rows.flat()), dims: [1, rows.length, rows[0]!.length] };
}

function transpose(rows: readonly (readonly number[])[]): number[][] {
  return rows[0]!.map((_, column) => rows.map((row) => row[column]!));
}

describe('decodeYoloV8', () => {
  test('takes the best class of each cell and the corners of its box', () => {
    const cells = [
      [100, 60, 40, 20, 0.125, 0.75, 0.5],
      [10, 20, 4, 8, 0.875, 0.25, 0],
    ];
    expect(decodeYoloV8(tensor(transpose(cells)), 0.25)).toEqual([
      { x1: 80, y1: 50, x2: 120, y2: 70, score: 0.75, classId: 1 },
      { x1: 8, y1: 16, x2: 12, y2: 24, score: 0.875, classId: 0 },
    ]);
  });

  test('drops scores at or below the threshold and NaN', () => {
    const cells = [
      [1, 1, 1, 1, 0.25, 0],
      [1, 1, 1, 1, 0.3125, 0],
      [1, 1, 1, 1, NaN, NaN],
    ];
    expect(decodeYoloV8(tensor(transpose(cells)), 0.25)).toMatchObject([{ score: 0.3125 }]);
  });

  test.each([[[1, 84]], [[2, 84, 10]], [[1, 4, 10]]])('refuses the shape %j', (dims) => {
    expect(() => decodeYoloV8({ data: new Float32Array(4000), dims }, 0)).toThrow(RangeError);
  });
});

describe('decodeYoloV5', () => {
  test('multiplies objectness and class score', () => {
    const rows = [
      [100, 60, 40, 20, 0.5, 0.25, 0.75],
      [10, 20, 4, 8, 1, 0.875, 0.5],
    ];
    expect(decodeYoloV5(tensor(rows), 0.25)).toEqual([
      { x1: 80, y1: 50, x2: 120, y2: 70, score: 0.375, classId: 1 },
      { x1: 8, y1: 16, x2: 12, y2: 24, score: 0.875, classId: 0 },
    ]);
  });

  test('drops rows whose product is not above the threshold', () => {
    const rows = [
      [1, 1, 1, 1, 0.25, 1],
      [1, 1, 1, 1, 0.5, 0.5],
      [1, 1, 1, 1, 1, 0.125],
      [1, 1, 1, 1, NaN, 1],
      [1, 1, 1, 1, 0.5, 0.75],
    ];
    expect(decodeYoloV5(tensor(rows), 0.25)).toMatchObject([{ score: 0.375 }]);
  });

  test.each([[[1, 85]], [[2, 10, 85]], [[1, 10, 5]]])('refuses the shape %j', (dims) => {
    expect(() => decodeYoloV5({ data: new Float32Array(2000), dims }, 0)).toThrow(RangeError);
  });
});

describe('decodeYolox', () => {
  // An input of 64 x 32 pixels has 8 x 4, 4 x 2 and 2 x 1 cells.
  const size = { width: 64, height: 32 };
  const rows = () => Array.from({ length: 32 + 8 + 2 }, () => [0, 0, 0, 0, 0, 0]);

  test('positions a box by the cell and the stride of its row', () => {
    const output = rows();
    const column = 3;
    const row = 2;
    output[row * 8 + column] = [0.5, 0.25, Math.log(2), Math.log(4), 0.5, 1];
    output[32 + 1 * 4 + 2] = [0, 0, 0, 0, 0.75, 1];
    output[32 + 8 + 1] = [-0.5, 0.5, 0, Math.log(0.5), 1, 1];
    const found = decodeYolox(tensor(output), { threshold: 0.25, size });
    const boxes = found.map(({ x1, y1, x2, y2 }) =>
      [x1, y1, x2, y2].map((v) => Number(v.toFixed(3))),
    );
    expect(boxes).toEqual([
      [28 - 8, 18 - 16, 28 + 8, 18 + 16],
      [32 - 8, 16 - 8, 32 + 8, 16 + 8],
      [16 - 16, 16 - 8, 16 + 16, 16 + 8],
    ]);
    expect(found.map(({ score }) => score)).toEqual([0.5, 0.75, 1]);
  });

  test('refuses a head for another size', () => {
    const output = tensor(rows().slice(1));
    expect(() => decodeYolox(output, { threshold: 0, size })).toThrow(
      'A YOLOX head for 64x32 has 42 cells, not 41.',
    );
  });
});
