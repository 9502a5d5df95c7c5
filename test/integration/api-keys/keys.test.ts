import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { SERVICE } from '@sightline/core/store/actor';
import { createKey } from '@sightline/core/api-keys/create-key';
import { ensureFirstKey } from '@sightline/core/api-keys/first-key';
import { KeyAuthenticator } from '@sightline/core/api-keys/key-authenticator';
import { openStoreFixture, type StoreFixture } from '../../support/fixtures/store-fixture.ts';

let store: StoreFixture;
let authenticator: KeyAuthenticator;
let now: number;

beforeAll(async () => {
  store = await openStoreFixture();
});

beforeEach(async () => {
  await store.query('DELETE FROM keys');
  now = Date.now();
  authenticator = new KeyAuthenticator(store.keys, { date: () => now, monotonic: () => now });
});

afterAll(async () => {
  await store[Symbol.asyncDispose]();
});

const REQUEST = {
  environment: 'home',
  label: 'a key',
  right: 'full',
  isAdmin: false,
  expiresAt: null,
} as const;

test('the first key is an administrator of the environment "default", and the only one', async () => {
  const kept: string[] = [];
  const first = () =>
    ensureFirstKey({
      keys: store.keys,
      keep: (key) => {
        kept.push(key);
        return Promise.resolve();
      },
    });
  const key = await first();
  expect(kept).toEqual([key]);
  const caller = await authenticator.authenticate(key!);
  expect(caller).toMatchObject({ right: 'owner', isAdmin: true });
  const environments = await store.keys.environments();
  expect(environments.find(({ id }) => id === caller.environmentId)?.name).toBe('default');

  expect(await first()).toBeNull();
  await store.keys.revoke(caller.keyId!, SERVICE);
  expect(await first()).toBeNull();
  expect(await store.keys.list()).toHaveLength(1);
  expect(kept).toHaveLength(1);
});

test('a first key that cannot be written to its file is not created', async () => {
  const keep = () => Promise.reject(new Error('no space'));
  await expect(ensureFirstKey({ keys: store.keys, keep })).rejects.toThrow('no space');
  expect(await store.keys.list()).toEqual([]);
});

test('no first key follows the deletion of the environment that had all keys', async () => {
  const [first] = await store.keys.environments();
  await store.query('UPDATE environments SET deleting_since = now()');
  await store.keys.environment('kept');
  const keep = () => Promise.reject(new Error('a key was made'));
  expect(await ensureFirstKey({ keys: store.keys, keep })).toBeNull();
  await store.query(`DELETE FROM environments WHERE name = 'kept'`);
  await store.query('UPDATE environments SET deleting_since = NULL');
  expect(await store.keys.environments()).toContainEqual(first);
});

test('a key of an environment that is being deleted is refused, and its name is free', async () => {
  const { key, record } = await createKey(store, REQUEST);
  await store.query('UPDATE environments SET deleting_since = now() WHERE id = $1', [
    record.environmentId,
  ]);
  await expect(authenticator.authenticate(key)).rejects.toThrow('valid API key');
  const again = await createKey(store, REQUEST);
  expect(again.record.environmentId).not.toBe(record.environmentId);
  expect(await authenticator.authenticate(again.key)).toMatchObject({ right: 'owner' });
});

test('keys of one name of an environment share it, those of another do not', async () => {
  const first = await createKey(store, REQUEST);
  const second = await createKey(store, { ...REQUEST, right: 'read', label: ' reader ' });
  const third = await createKey(store, { ...REQUEST, environment: 'work', isAdmin: true });
  expect(second.record).toMatchObject({ label: 'reader', right: 'read', isAdmin: false });
  expect(second.record.environmentId).toBe(first.record.environmentId);
  expect(third.record.environmentId).not.toBe(first.record.environmentId);
  for (const { key, record } of [first, second, third]) {
    expect(await authenticator.authenticate(key)).toEqual({
      keyId: record.id,
      environmentId: record.environmentId,
      countedOwnerId: null,
      accountId: null,
      right: record.right === 'full' ? 'owner' : record.right,
      isAdmin: record.isAdmin,
    });
    expect(key.startsWith(record.prefix)).toBe(true);
  }
});

test('the key itself is not stored', async () => {
  const { key } = await createKey(store, REQUEST);
  const [row] = await store.query<{ row: string }>('SELECT keys::text AS row FROM keys');
  expect(row!.row).not.toContain(key);
  expect(row!.row).not.toContain(Buffer.from(key).toString('hex'));
});

test('a revoked key ends within 5 seconds, an expired one at once', async () => {
  const revoked = await createKey(store, REQUEST);
  const expiring = await createKey(store, { ...REQUEST, expiresAt: new Date(now + 1000) });
  await authenticator.authenticate(revoked.key);
  await authenticator.authenticate(expiring.key);
  expect(await store.keys.revoke(revoked.record.id, SERVICE)).toBe(true);
  now += 5000;
  const refusal = { code: 'unauthenticated' };
  await expect(authenticator.authenticate(revoked.key)).rejects.toMatchObject(refusal);
  await expect(authenticator.authenticate(expiring.key)).rejects.toMatchObject(refusal);
});

test('the last use of a key is stored', async () => {
  const { key } = await createKey(store, REQUEST);
  await authenticator.authenticate(key);
  let record = (await store.keys.list())[0]!;
  while (record.lastUsedAt === null) [record] = (await store.keys.list()) as [typeof record];
  expect(record.lastUsedAt).toEqual(new Date(now));
});

test('an invalid label or name is refused', async () => {
  const refusal = { code: 'invalid_request' };
  await expect(createKey(store, { ...REQUEST, label: '' })).rejects.toMatchObject(refusal);
  await expect(createKey(store, { ...REQUEST, environment: ' ' })).rejects.toMatchObject(refusal);
  expect(await store.keys.list()).toEqual([]);
});

test('an environment has at most a thousand valid keys, also when several are made at once', async () => {
  const { record } = await createKey({ keys: store.keys }, REQUEST);
  await store.query(
    `INSERT INTO keys (environment_id, label, "right", is_admin, prefix, hash, expires_at)
     SELECT environment_id, label, "right", false, prefix, sha256(n::text::bytea),
       CASE WHEN n > 998 THEN now() - interval '1 minute' END
     FROM keys, generate_series(1, 1098) n`,
  );
  const more = await Promise.allSettled(
    Array.from({ length: 4 }, () => createKey({ keys: store.keys }, REQUEST)),
  );
  const refused = more.filter((each) => each.status === 'rejected');
  expect(refused.map(({ reason }) => (reason as { code: string }).code)).toEqual([
    'limit_reached',
    'limit_reached',
    'limit_reached',
  ]);
  await createKey({ keys: store.keys }, { ...REQUEST, environment: 'away' });
  await store.keys.revoke(record.id, SERVICE);
  await createKey({ keys: store.keys }, REQUEST);
});
