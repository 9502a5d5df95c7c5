import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { entityId, pointId } from './point-ids.ts';

const ids = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });

test('an id encodes environment and entity', () => {
  const id = pointId({ environmentId: 258 }, 2 ** 53 - 1);
  expect(id).toBe('00000000-0000-0102-001f-ffffffffffff');
  fc.assert(
    fc.property(ids, ids, (environmentId, entity) => {
      expect(entityId(pointId({ environmentId }, entity))).toBe(entity);
    }),
  );
});

test('ids are ordered by environment, then by entity', () => {
  const places = fc.tuple(ids, ids);
  fc.assert(
    fc.property(places, places, ([environmentA, a], [environmentB, b]) => {
      const before = environmentA < environmentB || (environmentA === environmentB && a < b);
      const first = pointId({ environmentId: environmentA }, a);
      expect(first < pointId({ environmentId: environmentB }, b)).toBe(before);
    }),
  );
});

test.each([-1, 0.5, 2 ** 53, NaN])('%d is not an id', (id) => {
  expect(() => pointId({ environmentId: 1 }, id)).toThrow(
    expect.objectContaining({ name: 'RangeError' }),
  );
});
