import { expect, test } from '@jest/globals';
import type { GalleryReference } from '../references/gallery-store.ts';
import { TailCache } from './tail-cache.ts';

function reference(id: number): GalleryReference {
  return { id, identityId: id, detectionId: id, vector: Float32Array.of(1) };
}

/** Reads references through a cache, and returns the ids that the cache had to load. */
async function loads(cache: TailCache, ids: readonly number[]): Promise<readonly number[]> {
  let asked: readonly number[] = [];
  const found = await cache.read(ids, (missing) => {
    asked = missing;
    return Promise.resolve(missing.map(reference));
  });
  expect(new Set(found.map(({ id }) => id))).toEqual(new Set(ids));
  return asked;
}

test('loads what it does not have', async () => {
  const cache = new TailCache();
  expect(await loads(cache, [1, 2])).toEqual([1, 2]);
  expect(await loads(cache, [2, 3])).toEqual([3]);
});

test('answers those that exist', async () => {
  const cache = new TailCache();
  expect(await cache.read([1], () => Promise.resolve([]))).toEqual([]);
  expect(await loads(cache, [1])).toEqual([1]);
});

test('evicts what was not read for the longest time', async () => {
  const cache = new TailCache(2);
  await loads(cache, [1, 2]);
  await loads(cache, [1]);
  await loads(cache, [3]);
  expect(await loads(cache, [1])).toEqual([]);
  expect(await loads(cache, [2])).toEqual([2]);
});

test('answers more than it can cache', async () => {
  expect(await loads(new TailCache(2), [1, 2, 3])).toEqual([1, 2, 3]);
});
