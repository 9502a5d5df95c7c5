import { expect, test } from '@jest/globals';
import { reasonOf } from './why-unnamed.ts';

const FACE = {
  type: 'face',
  identity_id: null,
  review_status: 'pending',
  embedding_source: 'aligned',
} as const;
const match = (similarity: number) => ({ label: 'Ada', similarity });

test('a face with a name, and an object, need no reason', () => {
  const known = { match: undefined, threshold: 0.5 };
  expect(reasonOf({ ...FACE, identity_id: 1 }, known)).toBeNull();
  expect(reasonOf({ ...FACE, type: 'object' }, known)).toBeNull();
});

test('the reason is the best match and the threshold, as far as they are known', () => {
  expect(reasonOf(FACE, { match: undefined, threshold: NaN })).toBeNull();
  expect(reasonOf(FACE, { match: undefined, threshold: 0.5 })).toBe('below');
  expect(reasonOf(FACE, { match: match(0.4), threshold: 0.5 })).toBe('bestBelow');
  expect(reasonOf(FACE, { match: match(0.6), threshold: 0.5 })).toBe('bestTaken');
});

test('a face without an embedding, and a rejected one, are never matched', () => {
  const known = { match: undefined, threshold: 0.5 };
  expect(reasonOf({ ...FACE, embedding_source: null }, known)).toBe('noEmbedding');
  expect(reasonOf({ ...FACE, review_status: 'rejected' }, known)).toBe('rejected');
});
