import { expect, test } from '@jest/globals';
import { changedValues } from './changed-values.ts';

test('only the values that differ are changed', () => {
  const before = { label: 'Ada', external_ref: null, cover_detection_id: 4 };
  const after = { label: 'Ada L.', external_ref: null, cover_detection_id: null };
  expect(changedValues(before, after)).toEqual([
    { name: 'label', before: 'Ada', after: 'Ada L.' },
    { name: 'cover_detection_id', before: 4, after: null },
  ]);
});

test('a record that was created or deleted, or whose values are not kept, has no changed values', () => {
  expect(changedValues(null, { label: 'Ada' })).toEqual([]);
  expect(changedValues({ label: 'Ada' }, null)).toEqual([]);
  expect(changedValues(null, null)).toEqual([]);
});
