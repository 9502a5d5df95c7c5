import { beforeEach, expect, test } from '@jest/globals';
import type { StoreUnavailable } from '@sightline/core/store/store-errors';
import { toStoreUnavailable } from './s3-error.ts';
import { REFUSED_MS, S3Room, TAKEN_MS } from './s3-room.ts';

const full = toStoreUnavailable({ code: 'XMinioStorageFull' });
const away = toStoreUnavailable({ code: 'ECONNREFUSED' });
const denied = toStoreUnavailable({ code: 'AccessDenied' });

/** Trials that the test ends, in their order. */
let trials: PromiseWithResolvers<null>[];
let now: number;
let room: S3Room;

beforeEach(() => {
  trials = [];
  now = 0;
  room = new S3Room({
    now: () => now,
    tryOut: () => {
      const trial = Promise.withResolvers<null>();
      trials.push(trial);
      return trial.promise.then(() => undefined);
    },
  });
});

const put = () => room.watch(() => Promise.resolve('done'));
const refuse = (error: StoreUnavailable) => room.watch(() => Promise.reject(error));

test('it is tried out once for all who ask, and counts for a moment', async () => {
  const asking = Promise.all([room.require(), room.require()]);
  expect(trials).toHaveLength(1);
  trials[0]!.resolve(null);
  await asking;
  now += TAKEN_MS - 1;
  await room.require();
  now += 1;
  const later = room.require();
  trials[1]!.resolve(null);
  await later;
  expect(trials).toHaveLength(2);
});

test('what is put tells it too', async () => {
  expect(await put()).toBe('done');
  now += TAKEN_MS - 1;
  await room.require();
  expect(trials).toEqual([]);
});

test('a put that is refused as full tells everybody, until a trial is not', async () => {
  await expect(refuse(full)).rejects.toBe(full);
  expect(() => room.requireNotRefused()).toThrow(full);
  await expect(room.require()).rejects.toBe(full);
  expect(trials).toEqual([]);
  now += REFUSED_MS;
  room.requireNotRefused();
  const still = room.require();
  trials[0]!.reject(full);
  await expect(still).rejects.toBe(full);
  await expect(room.require()).rejects.toBe(full);
  now += REFUSED_MS;
  const again = room.require();
  trials[1]!.resolve(null);
  await again;
  await room.require();
  expect(trials).toHaveLength(2);
});

test('what finds room beside what does not changes nothing', async () => {
  await expect(refuse(full)).rejects.toBe(full);
  await put();
  await expect(room.require()).rejects.toBe(full);
});

test('a failure of another kind says nothing about the room', async () => {
  await put();
  await expect(refuse(away)).rejects.toBe(away);
  await room.require();
  now += TAKEN_MS;
  const asking = room.require();
  trials[0]!.reject(away);
  await expect(asking).rejects.toBe(away);
  room.requireNotRefused();
  const again = room.require();
  trials[1]!.resolve(null);
  await again;
});

test('where a trial is not allowed there are no more, and what is put tells it alone', async () => {
  const asking = room.require();
  trials[0]!.reject(denied);
  await asking;
  now += TAKEN_MS;
  await room.require();
  await expect(refuse(full)).rejects.toBe(full);
  await expect(room.require()).rejects.toBe(full);
  now += REFUSED_MS;
  await room.require();
  expect(trials).toHaveLength(1);
});
