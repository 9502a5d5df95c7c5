import { expect, test } from '@jest/globals';
import { closestIdentities } from './closest-identities.ts';

const at = (x: number) => Float32Array.of(x, Math.sqrt(1 - x * x));
const QUERY = Float32Array.of(1, 0);

test('takes each identity once, by its closest point, and ties by id', () => {
  const points = [
    { id: 1, identityId: 20, vector: at(0.5) },
    { id: 2, identityId: 10, vector: at(0.5) },
    { id: 3, identityId: 30, vector: at(0.1) },
    { id: 4, identityId: 30, vector: at(0.9) },
    { id: 5, identityId: null, vector: at(1) },
  ];
  expect(closestIdentities(QUERY, points, 5)).toEqual([
    { identityId: 30, pointId: 4 },
    { identityId: 10, pointId: 2 },
    { identityId: 20, pointId: 1 },
  ]);
  expect(closestIdentities(QUERY, points, 1)).toEqual([{ identityId: 30, pointId: 4 }]);
});

test('accepts points with a negative similarity', () => {
  expect(closestIdentities(QUERY, [{ id: 1, identityId: 2, vector: at(-1) }], 1)).toHaveLength(1);
});
