import { expect, test } from '@jest/globals';
import { comparePerson, largestFace } from './compare-person.ts';

const candidate = (id: number, similarity: number) => ({
  identity_id: id,
  label: `Person ${id}`,
  similarity,
});
const two = [candidate(1, 0.8), candidate(2, 0.4)];

test.each([
  [two, 2, { name: 'known', similarity: 0.4 }],
  [two, 3, { name: 'far', below: 0.4 }],
  [two.slice(0, 1), 3, { name: 'no_reference' }],
  [[], 3, { name: 'no_reference' }],
])('%j and the person %d', (candidates, person, comparison) => {
  expect(comparePerson(candidates, person, 2)).toEqual(comparison);
});

test('the largest face has the largest box', () => {
  const faces = [2, 5, 3].map((w) => ({ bbox: { x: 0, y: 0, w, h: 4 } }));
  expect(largestFace(faces)).toBe(faces[1]);
  expect(largestFace([] as typeof faces)).toBeUndefined();
});
