import { beforeEach, expect, test } from '@jest/globals';
import { DiskReserve, LOOKUP_COUNTS_MS } from './disk-reserve.ts';

/** The requested lookups of free bytes, in the order of the requests. The test settles them. */
let lookups: PromiseWithResolvers<number>[];
let now: number;
let reserve: DiskReserve;

beforeEach(() => {
  lookups = [];
  now = 0;
  reserve = new DiskReserve({
    holds: 'images',
    folder: '/somewhere',
    bytes: 256_000_000,
    now: () => now,
    lookUp: (folder) => {
      expect(folder).toBe('/somewhere');
      const lookup = Promise.withResolvers<number>();
      lookups.push(lookup);
      return lookup.promise;
    },
  });
});

const tooLittle = expect.objectContaining({
  code: 'store_unavailable',
  message:
    'The disk of the images is full up to its reserve: 255,999,999 bytes are free, the reserve is 256,000,000 bytes.',
});

test('the reserve itself is enough, and one byte less is refused with both figures', async () => {
  const asking = reserve.require();
  lookups[0]!.resolve(256_000_000);
  await asking;
  now += LOOKUP_COUNTS_MS;
  const later = reserve.require();
  lookups[1]!.resolve(255_999_999);
  await expect(later).rejects.toEqual(tooLittle);
});

test('callers share a lookup of any duration, and its result is valid for a second', async () => {
  const first = reserve.require();
  now += 10 * LOOKUP_COUNTS_MS;
  const second = reserve.require();
  expect(lookups).toHaveLength(1);
  lookups[0]!.resolve(255_999_999);
  await expect(first).rejects.toEqual(tooLittle);
  await expect(second).rejects.toEqual(tooLittle);
  now += LOOKUP_COUNTS_MS - 1;
  await expect(reserve.require()).rejects.toEqual(tooLittle);
  expect(lookups).toHaveLength(1);
  now += 1;
  const freed = reserve.require();
  lookups[1]!.resolve(300_000_000);
  await freed;
});

test('a disk that cannot be read is an error of the store, for a second', async () => {
  const asking = reserve.require();
  const cause = new Error('EIO');
  lookups[0]!.reject(cause);
  const failure = {
    code: 'store_unavailable',
    message: 'The free space on the disk of the images cannot be read.',
  };
  await expect(asking).rejects.toMatchObject({ ...failure, cause });
  now += LOOKUP_COUNTS_MS;
  const again = reserve.require();
  lookups[1]!.resolve(300_000_000);
  await again;
});

test('an abort rejects with its reason, before and during the lookup', async () => {
  const reason = new Error('the caller left');
  await expect(reserve.require(AbortSignal.abort(reason))).rejects.toBe(reason);
  expect(lookups).toEqual([]);
  const controller = new AbortController();
  const asking = reserve.require(controller.signal);
  controller.abort(reason);
  lookups[0]!.resolve(0);
  await expect(asking).rejects.toBe(reason);
});
