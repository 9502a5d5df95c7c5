import { beforeEach, expect, test } from '@jest/globals';
import { shareRecent } from './share-recent.ts';

let now: number;
let runs: number;
let work: () => Promise<number>;

beforeEach(() => {
  now = 0;
  runs = 0;
  work = () => Promise.resolve(++runs);
});

const share = () =>
  shareRecent(
    () => work(),
    1_000,
    () => now,
  );

test('callers within the time share a result', async () => {
  const get = share();
  expect(await Promise.all([get(), get()])).toEqual([1, 1]);
  now = 999;
  expect(await get()).toBe(1);
  now = 1_000;
  expect(await get()).toBe(2);
});

test('callers share work that takes longer', async () => {
  const slow = Promise.withResolvers<number>();
  work = () => {
    runs++;
    return slow.promise;
  };
  const get = share();
  const first = get();
  now = 5_000;
  const second = get();
  slow.resolve(7);
  expect([await first, await second, runs]).toEqual([7, 7, 1]);
});

test('a failure is not kept', async () => {
  work = () => Promise.reject(new Error('down'));
  const get = share();
  await expect(get()).rejects.toThrow('down');
  work = () => Promise.resolve(3);
  expect(await get()).toBe(3);
});
