import { expect, test } from '@jest/globals';
import { describeWithShared } from '../support/gates/describe-with-shared.ts';
import { listLfw, namedFace } from './lfw.ts';

test('the face in the middle is the named one', () => {
  const middle = { bbox: { x: 90, y: 80, w: 60, h: 90 } };
  const larger = { bbox: { x: 0, y: 0, w: 120, h: 150 } };
  expect(namedFace([larger, middle])).toBe(middle);
  expect(namedFace([])).toBeNull();
});

describeWithShared('the shared LFW photos', () => {
  test('thirty people have five, forty have one', async () => {
    const people = Map.groupBy(await listLfw(), ({ person }) => person);
    const counts = [...people.values()].map((photos) => photos.length);
    expect(counts.filter((count) => count === 5)).toHaveLength(30);
    expect(counts.filter((count) => count === 1)).toHaveLength(40);
    expect(people.size).toBe(70);
  });
});
