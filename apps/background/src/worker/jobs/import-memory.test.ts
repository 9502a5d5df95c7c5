import { expect, test } from '@jest/globals';
import { StoreUnavailable } from '@sightline/core/store/store-errors';
import { ImportMemory } from './import-memory.ts';

test('each import has a share, and one that is alone what it needs', () => {
  const memory = new ImportMemory(100);
  const first = memory.open();
  first.reserve(60);
  {
    using second = memory.open();
    second.reserve(100);
    expect(() => second.reserve(1)).toThrow(StoreUnavailable);
    first.reserve(40);
    expect(() => first.reserve(1)).toThrow(StoreUnavailable);
  }
  first.reserve(500);
  using third = memory.open();
  expect(() => third.reserve(101)).toThrow(StoreUnavailable);
  first[Symbol.dispose]();
  third.reserve(101);
});
