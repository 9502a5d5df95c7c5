import { beforeEach, expect, test } from '@jest/globals';
import type { StoreUnavailable } from '@sightline/core/store/store-errors';
import { toStoreUnavailable } from './s3-error.ts';
import { REFUSAL_COUNTS_MS, S3Room } from './s3-room.ts';

const full = toStoreUnavailable({ code: 'XMinioStorageFull' });
const unreachable = toStoreUnavailable({ code: 'ECONNREFUSED' });

let now: number;
let room: S3Room;

beforeEach(() => {
  now = 0;
  room = new S3Room(() => now);
});

const put = () => room.watch(() => Promise.resolve('done'));
const refuse = (error: StoreUnavailable) => room.watch(() => Promise.reject(error));

function expectRoom(): void {
  room.requireNoRecentRefusal();
  room.requireNoRefusal();
}

test('there is room until a put is refused as full', async () => {
  expectRoom();
  expect(await put()).toBe('done');
  expectRoom();
});

test('a refusal counts for some time for photos, and for health until a put succeeds', async () => {
  await expect(refuse(full)).rejects.toBe(full);
  now += REFUSAL_COUNTS_MS - 1;
  expect(() => room.requireNoRecentRefusal()).toThrow(full);
  now += 1;
  room.requireNoRecentRefusal();
  expect(() => room.requireNoRefusal()).toThrow(full);
  await put();
  expectRoom();
});

test('the first put that is refused again causes photos to be refused again', async () => {
  await expect(refuse(full)).rejects.toBe(full);
  now += REFUSAL_COUNTS_MS;
  await expect(refuse(full)).rejects.toBe(full);
  now += REFUSAL_COUNTS_MS - 1;
  expect(() => room.requireNoRecentRefusal()).toThrow(full);
});

test('a put that began before the refusal does not end it', async () => {
  const small = Promise.withResolvers<null>();
  const putting = room.watch(() => small.promise);
  await expect(refuse(full)).rejects.toBe(full);
  small.resolve(null);
  await putting;
  expect(() => room.requireNoRecentRefusal()).toThrow(full);
  expect(() => room.requireNoRefusal()).toThrow(full);
});

test('a failure of another kind says nothing about the room', async () => {
  await expect(refuse(unreachable)).rejects.toBe(unreachable);
  expectRoom();
  await expect(refuse(full)).rejects.toBe(full);
  await expect(refuse(unreachable)).rejects.toBe(unreachable);
  expect(() => room.requireNoRefusal()).toThrow(full);
});
