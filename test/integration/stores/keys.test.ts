import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { SERVICE } from '@sightline/core/store/actor';
import type { NewApiKey } from '@sightline/core/api-keys/key-store';
import { openStoreFixture, type StoreFixture } from '../../support/fixtures/store-fixture.ts';

let store: StoreFixture;

beforeAll(async () => {
  store = await openStoreFixture();
});

beforeEach(async () => {
  await store.query('DELETE FROM keys');
});

afterAll(async () => {
  await store[Symbol.asyncDispose]();
});

async function newKey(changes: Partial<NewApiKey> = {}): Promise<NewApiKey> {
  const { id } = await store.keys.environment('home');
  return {
    environmentId: id,
    label: 'a key',
    right: 'full',
    isAdmin: false,
    prefix: 'sightline_abcdef',
    expiresAt: null,
    hash: randomBytes(32),
    actor: SERVICE,
    ...changes,
  };
}

test('a key is read as it was created, its hash only by the prefix', async () => {
  const expiresAt = new Date('2030-01-02T03:04:05.678Z');
  const { hash, actor, ...given } = await newKey({ right: 'read', isAdmin: true, expiresAt });
  const record = await store.keys.insert({ ...given, hash, actor });
  expect(record).toEqual({
    ...given,
    id: expect.any(Number),
    createdBy: null,
    countedOwnerId: null,
    revokedAt: null,
    lastUsedAt: null,
    createdAt: expect.any(Date),
  });
  expect(await store.keys.list()).toEqual([record]);
  const [found] = await store.keys.byPrefix(given.prefix);
  expect(found).toEqual({ ...record, hash: expect.anything() });
  expect(Buffer.compare(found!.hash, hash)).toBe(0);
  expect(await store.keys.byPrefix('sightline_other')).toEqual([]);
});

test('keys of one prefix are told apart, and the list begins with the newest', async () => {
  const first = await store.keys.insert(await newKey());
  const second = await store.keys.insert(await newKey());
  expect((await store.keys.byPrefix(first.prefix)).map(({ id }) => id)).toEqual([
    first.id,
    second.id,
  ]);
  expect((await store.keys.list()).map(({ id }) => id)).toEqual([second.id, first.id]);
});

test('two keys never have one hash', async () => {
  const key = await newKey();
  await store.keys.insert(key);
  await expect(store.keys.insert(key)).rejects.toThrow();
});

test('revoking keeps the first time', async () => {
  const { id } = await store.keys.insert(await newKey());
  expect(await store.keys.revoke(999_999, SERVICE)).toBe(false);
  expect(await store.keys.revoke(id, SERVICE)).toBe(true);
  const [once] = await store.keys.list();
  expect(once!.revokedAt).toBeInstanceOf(Date);
  expect(await store.keys.revoke(id, SERVICE)).toBe(true);
  expect(await store.keys.list()).toEqual([once]);
});

test('the latest use is stored, in whatever order uses are noted', async () => {
  const { id } = await store.keys.insert(await newKey());
  const other = await store.keys.insert(await newKey());
  const [early, late] = [new Date('2026-01-01T00:00:00.001Z'), new Date('2026-01-01T00:00:01Z')];
  await store.keys.touch(new Map());
  await store.keys.touch(
    new Map([
      [other.id, early],
      [999_999, late],
      [id, late],
    ]),
  );
  await store.keys.touch(new Map([[id, early]]));
  const used = new Map((await store.keys.list()).map((key) => [key.id, key.lastUsedAt]));
  expect(used).toEqual(
    new Map([
      [id, late],
      [other.id, early],
    ]),
  );
});

test('an environment is created once for each name, also by concurrent calls', async () => {
  const made = await Promise.all(
    Array.from({ length: 6 }, () => store.keys.environment('everybody')),
  );
  expect(new Set(made.map(({ id }) => id)).size).toBe(1);
  expect(made[0]).toEqual({
    id: expect.any(Number),
    name: 'everybody',
    createdAt: expect.any(Date),
  });
  const all = await store.keys.environments();
  expect(all.filter(({ name }) => name === 'everybody')).toEqual([made[0]]);
  expect(all.map(({ id }) => id)).toEqual(all.map(({ id }) => id).sort((a, b) => a - b));
});
