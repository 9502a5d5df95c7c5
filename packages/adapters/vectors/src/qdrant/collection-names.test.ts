import { expect, test } from '@jest/globals';
import { CollectionNames } from './collection-names.ts';

const names = new CollectionNames('0192F0C1-2345-7abc-8def-0123456789AB');
const space = { kind: 'references', modelId: 7, dimension: 512 } as const;

test('a collection is named after its space and generation, its alias after the space', () => {
  const collection = names.collection({ space, generation: '00c0ffee' });
  expect(collection).toBe('sightline-0123456789ab-references-7-512-00c0ffee');
  expect(names.alias(space)).toBe('sightline-0123456789ab-references-7-512');
  expect(names.aliasOf(collection)).toBe(names.alias(space));
  expect(names.parse(collection)).toEqual({ space, generation: '00c0ffee' });
  const list = names.collection({ space: null, generation: '00c0ffee' });
  expect(names.parse(list)).toEqual({ space: null, generation: '00c0ffee' });
  expect(names.aliasOf(list)).toBe(names.complete);
});

test.each([
  '',
  'sightline-0123456789ab-references-7-512',
  'sightline-0123456789ab-others-7-512-00c0ffee',
  'sightline-0123456789ac-references-7-512-00c0ffee',
  'my-sightline-0123456789ab-references-7-512-00c0ffee',
])('%s is not a collection of this installation', (name) => {
  expect(names.parse(name)).toBeNull();
});
