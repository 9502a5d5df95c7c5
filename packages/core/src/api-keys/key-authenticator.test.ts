import { beforeEach, describe, expect, test } from '@jest/globals';
import { createApiKey } from './api-key.ts';
import { KeyAuthenticator } from './key-authenticator.ts';
import type { ApiKeyRecord, KeyStore } from './key-store.ts';

type StoredKey = ApiKeyRecord & { readonly hash: Uint8Array };

const START = Date.UTC(2026, 10, 21);

class FakeKeys implements Pick<KeyStore, 'byPrefix' | 'touch'> {
  rows: StoredKey[] = [];
  reads = 0;
  uses: [id: number, at: Date][] = [];
  touchFails = false;

  add(changes: Partial<StoredKey> = {}): string {
    const { key, prefix, hash } = createApiKey();
    this.rows.push({
      id: this.rows.length + 1,
      environmentId: 7,
      countedOwnerId: null,
      label: 'a key',
      right: 'full',
      isAdmin: false,
      createdBy: null,
      prefix,
      hash,
      expiresAt: null,
      revokedAt: null,
      lastUsedAt: null,
      createdAt: new Date(START),
      ...changes,
    });
    return key;
  }

  byPrefix(prefix: string) {
    this.reads++;
    return Promise.resolve(this.rows.filter((row) => row.prefix === prefix));
  }

  touch(uses: ReadonlyMap<number, Date>) {
    if (this.touchFails) return Promise.reject(new Error('no connection'));
    this.uses.push(...uses);
    return Promise.resolve();
  }
}

let keys: FakeKeys;
let now: number;
let authenticator: KeyAuthenticator;

beforeEach(() => {
  keys = new FakeKeys();
  now = START;
  authenticator = new KeyAuthenticator(keys, { date: () => now, monotonic: () => now - START });
});

/** Changes the last character of a key, which belongs to the checksum. */
function withWrongChecksum(key: string): string {
  return key.slice(0, -1) + (key.endsWith('A') ? 'B' : 'A');
}

test('a key has an environment and rights', async () => {
  keys.add();
  const key = keys.add({ environmentId: 9, right: 'read', isAdmin: true });
  await expect(authenticator.authenticate(key)).resolves.toEqual({
    keyId: 2,
    accountId: null,
    environmentId: 9,
    countedOwnerId: null,
    right: 'read',
    isAdmin: true,
  });
});

test('of keys with one prefix the right one is found', async () => {
  const key = keys.add();
  const { prefix } = keys.rows[0]!;
  keys.rows.unshift({ ...keys.rows[0]!, id: 8, hash: new Uint8Array(32), prefix });
  expect((await authenticator.authenticate(key)).keyId).toBe(1);
});

describe('every invalid key gets the same answer', () => {
  test.each<[string, () => string]>([
    ['nothing', () => ''],
    ['something else', () => 'Bearer abc'],
    ['a wrong checksum', () => withWrongChecksum(keys.add())],
    ['a key that is not stored', () => createApiKey().key],
    ['a revoked one', () => keys.add({ revokedAt: new Date(START - 1) })],
    ['an expired one', () => keys.add({ expiresAt: new Date(START) })],
  ])('%s', async (_, text) => {
    await expect(authenticator.authenticate(text())).rejects.toMatchObject({
      code: 'unauthenticated',
      message:
        'This request needs a valid API key in the header X-API-Key, or the session of a browser.',
      facts: {},
    });
    expect(keys.uses).toEqual([]);
  });
});

test('a text that cannot be a key is not looked up', async () => {
  await expect(authenticator.authenticate(withWrongChecksum(keys.add()))).rejects.toThrow();
  expect(keys.reads).toBe(0);
});

test('a valid key is remembered, and its revocation takes effect within 5 seconds', async () => {
  const key = keys.add();
  await authenticator.authenticate(key);
  keys.rows = keys.rows.map((row) => ({ ...row, revokedAt: new Date(now) }));
  now += 3_999;
  await authenticator.authenticate(key);
  expect(keys.reads).toBe(1);
  now += 1;
  await expect(authenticator.authenticate(key)).rejects.toThrow();
  expect(keys.reads).toBe(2);
});

test('a revocation takes effect within 5 seconds also when the date is set back', async () => {
  let date = START;
  authenticator = new KeyAuthenticator(keys, { date: () => date, monotonic: () => now });
  const key = keys.add();
  await authenticator.authenticate(key);
  keys.rows = keys.rows.map((row) => ({ ...row, revokedAt: new Date(date) }));
  date -= 3_600_000;
  now += 4_000;
  await expect(authenticator.authenticate(key)).rejects.toThrow();
});

test('a remembered key ends when it expires', async () => {
  const key = keys.add({ expiresAt: new Date(START + 1000) });
  await authenticator.authenticate(key);
  now += 1000;
  await expect(authenticator.authenticate(key)).rejects.toThrow();
});

test('a key that is created after a failed attempt works at once', async () => {
  const { key, prefix, hash } = createApiKey();
  await expect(authenticator.authenticate(key)).rejects.toThrow();
  keys.add({ prefix, hash });
  expect((await authenticator.authenticate(key)).keyId).toBe(1);
});

test('no more than 1,000 keys are remembered', async () => {
  const all = Array.from({ length: 1001 }, () => keys.add());
  for (const key of all) await authenticator.authenticate(key);
  await authenticator.authenticate(all[1]!);
  expect(keys.reads).toBe(1001);
  await authenticator.authenticate(all[0]!);
  expect(keys.reads).toBe(1002);
});

test('the use of a key is noted once a minute', async () => {
  const key = keys.add();
  for (const seconds of [0, 30, 59.999, 60, 61]) {
    now = START + seconds * 1000;
    await authenticator.authenticate(key);
  }
  expect(keys.uses).toEqual([
    [1, new Date(START)],
    [1, new Date(START + 60_000)],
  ]);
});

test('a use that cannot be noted is not refused, and the next one is noted', async () => {
  const key = keys.add();
  keys.touchFails = true;
  await authenticator.authenticate(key);
  keys.touchFails = false;
  now += 1;
  await authenticator.authenticate(key);
  expect(keys.uses).toEqual([[1, new Date(START + 1)]]);
});
