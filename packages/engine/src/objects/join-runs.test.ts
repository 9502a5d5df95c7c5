import { expect, test } from '@jest/globals';
import type { DetectedObject } from './detected-object.ts';
import { joinRuns } from './join-runs.ts';

function object(x: number, confidence: number, classId = 0): DetectedObject {
  return { bbox: { x, y: 0, w: 100, h: 100 }, confidence, classId, className: `class ${classId}` };
}

const places = (objects: readonly DetectedObject[]) => objects.map(({ bbox }) => bbox.x);

test('keeps the best of an object that several runs found', () => {
  expect(places(joinRuns([[object(0, 0.6)], [object(20, 0.9)], [object(10, 0.5)]]))).toEqual([20]);
});

test('keeps objects of other classes, and distant ones, best first', () => {
  const runs = [[object(0, 0.6)], [object(20, 0.9, 1), object(400, 0.7)]];
  expect(places(joinRuns(runs))).toEqual([20, 400, 0]);
});

test('keeps neighbors that one run found', () => {
  expect(places(joinRuns([[object(0, 0.9), object(20, 0.8)], []]))).toEqual([0, 20]);
});

test('returns at most 300 objects', () => {
  const run = (from: number) =>
    Array.from({ length: 200 }, (_, i) => object(200 * (from + i), 0.5 + i / 1000));
  expect(joinRuns([run(0), run(200)])).toHaveLength(300);
});
