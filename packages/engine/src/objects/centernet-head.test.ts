import { describe, expect, test } from '@jest/globals';
import { type CenternetOutputs, decodeCenternet } from './centernet-head.ts';

const SIZE = { width: 64, height: 48 };
const [COLUMNS, LINES] = [16, 12];
const CELLS = COLUMNS * LINES;

interface Cell {
  readonly classId?: number;
  readonly column: number;
  readonly line: number;
  readonly score: number;
  readonly edges?: readonly [number, number, number, number];
}

function outputsOf(...seen: readonly Cell[]): CenternetOutputs {
  const scores = new Float32Array(2 * CELLS);
  const edges = new Float32Array(4 * CELLS);
  for (const { classId = 0, column, line, score, edges: sides = [1, 1, 1, 1] } of seen) {
    const cell = line * COLUMNS + column;
    scores[classId * CELLS + cell] = score;
    for (const [side, length] of sides.entries()) edges[side * CELLS + cell] = length;
  }
  return {
    scores: { data: scores, dims: [1, 2, LINES, COLUMNS] },
    edges: { data: edges, dims: [1, 4, LINES, COLUMNS] },
  };
}

function decode(...seen: readonly Cell[]) {
  return decodeCenternet(outputsOf(...seen), { threshold: 0.25, size: SIZE });
}

describe('decodeCenternet', () => {
  test('computes a box from its cell', () => {
    expect(decode({ classId: 1, column: 5, line: 3, score: 0.5, edges: [8, 2.5, 4, 10] })).toEqual([
      { x1: 12, y1: 9.5, x2: 24, y2: 22, score: 0.5, classId: 1 },
    ]);
  });

  test.each([
    [-1, -1],
    [0, -1],
    [1, -1],
    [-1, 0],
    [1, 0],
    [-1, 1],
    [0, 1],
    [1, 1],
  ])('keeps the better one of two neighbors (%i, %i apart)', (right, down) => {
    const peak = { column: 5, line: 3, score: 0.75 };
    const beside = { column: 5 + right, line: 3 + down, score: 0.5 };
    expect(decode(peak, beside).map(({ score }) => score)).toEqual([0.75]);
  });

  test('keeps objects two cells apart, and two classes in the same place', () => {
    const found = decode(
      { column: 5, line: 3, score: 0.75 },
      { column: 7, line: 3, score: 0.5 },
      { classId: 1, column: 5, line: 3, score: 0.375 },
    );
    expect(found.map(({ score }) => score).toSorted()).toEqual([0.375, 0.5, 0.75]);
  });

  test('the last cell of a row is not a neighbor of the next row', () => {
    const found = decode(
      { column: 15, line: 2, score: 0.5 },
      { column: 0, line: 3, score: 0.75 },
      { column: 0, line: 4, score: 0.5 },
      { column: 15, line: 0, score: 0.5 },
      { column: 0, line: 11, score: 0.5 },
    );
    expect(found.map(({ x1, y1 }) => [(x1 + 1) / 4, (y1 + 1) / 4])).toEqual([
      [15, 0],
      [15, 2],
      [0, 3],
      [0, 11],
    ]);
  });

  test('drops scores at or below the threshold, NaN, and boxes without area', () => {
    expect(
      decode(
        { column: 1, line: 1, score: 0.25 },
        { column: 4, line: 1, score: NaN },
        { column: 7, line: 1, score: 0.5, edges: [-3, 1, 3, 1] },
        { column: 10, line: 1, score: 0.5, edges: [1, NaN, 1, 1] },
      ),
    ).toEqual([]);
  });

  test.each<[string, (outputs: CenternetOutputs) => CenternetOutputs]>([
    ['in the other order', ({ scores, edges }) => ({ scores: edges, edges: scores })],
    ['of several images', (all) => reshaped(all, [2, 1, LINES, COLUMNS])],
    ['over another grid', (all) => reshaped(all, [1, 2, COLUMNS, LINES])],
    ['with three axes', (all) => reshaped(all, [1, 2, CELLS])],
  ])('refuses outputs %s', (_what, change) => {
    const outputs = change(outputsOf());
    expect(() => decodeCenternet(outputs, { threshold: 0, size: SIZE })).toThrow(RangeError);
  });
});

function reshaped({ scores, edges }: CenternetOutputs, dims: readonly number[]): CenternetOutputs {
  return { scores: { ...scores, dims }, edges };
}
