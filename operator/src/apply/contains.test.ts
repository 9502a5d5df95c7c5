import { expect, test } from '@jest/globals';
import { contains } from './contains.ts';

test.each<[what: string, observed: unknown, intended: unknown, isIn: boolean]>([
  ['what the server has added', { a: 1, b: 2 }, { a: 1 }, true],
  ['a removed field', { b: 2 }, { a: 1 }, false],
  ['a field that was changed', { a: { b: 'x' } }, { a: { b: 'y' } }, false],
  [
    'a quantity in another notation',
    { cpu: '1', memory: '1Gi' },
    { cpu: '1000m', memory: '1024Mi' },
    true,
  ],
  ['a quantity as a number', { cpu: '4' }, { cpu: 4 }, true],
  ['another quantity', { cpu: '2' }, { cpu: '1000m' }, false],
  ['texts that are no quantities', { a: 'on' }, { a: 'off' }, false],
  ['elements in order', [{ a: 1, b: 1 }, { a: 2 }], [{ a: 1 }, { a: 2 }], true],
  ['an element too many', [1, 2], [1], false],
  ['an object instead of a list', {}, [], false],
  ['a removed list', undefined, [1], false],
  ['nothing intended', { a: 1 }, undefined, true],
  ['an empty object', { a: {} }, { a: {} }, true],
  ['false is not 0', { a: 0 }, { a: false }, false],
])('%s', (...[, observed, intended, isIn]) => {
  expect(contains(observed, intended)).toBe(isIn);
});
