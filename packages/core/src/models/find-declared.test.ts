import { expect, test } from '@jest/globals';
import { findDeclared } from './find-declared.ts';

const [OLD, NEW] = ['a'.repeat(64), 'b'.repeat(64)];

const declared = (name: string, needs: string | null, packName = 'faces') =>
  ({
    name,
    packName,
    task: 'face',
    revision: null,
    needs,
    bytes: null,
    sha256: null,
    progress: null,
    failure: null,
  }) as const;

const MODELS = [declared('x', NEW, 'others'), declared('v1', OLD), declared('v2', NEW)];

test.each([
  [OLD, 'v1'],
  [NEW, 'v2'],
  ['c'.repeat(64), 'v1'],
  [null, 'v1'],
])('finds for the revision %s the declaration %s of two versions of a pack', (revision, name) => {
  expect(findDeclared(MODELS, { name: 'faces', task: 'face', revision })?.name).toBe(name);
});

test('finds no declaration of another task', () => {
  expect(findDeclared(MODELS, { name: 'faces', task: 'object', revision: OLD })).toBeUndefined();
});
