import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Transaction } from '@sightline/core/database/database';
import { rotateSecrets } from '@sightline/core/maintenance/rotate-secrets';
import { openUrl, sealUrl } from '@sightline/core/recognition/posted-url';
import { AesSecretBox } from '@sightline/composition/secrets/aes-secret-box';
import type { SeededEnvironment } from '../../support/fixtures/seeded-environment.ts';
import { openStoreFixture, type StoreFixture } from '../../support/fixtures/store-fixture.ts';

const [OLD, NEW] = [Buffer.alloc(32, 7), Buffer.alloc(32, 8)];
const boxOf = (...keys: readonly Buffer[]) => new AesSecretBox(() => keys);
const [old, both, current] = [boxOf(OLD), boxOf(NEW, OLD), boxOf(NEW)];
const KEY_ID = current.keys[0]!.id;

let store: StoreFixture;
let home: SeededEnvironment;

beforeAll(async () => {
  store = await openStoreFixture();
});
beforeEach(async () => {
  await store.query('DELETE FROM webhooks');
  await store.query('DELETE FROM jobs');
  await store.query('UPDATE installation SET secret_key_check = NULL');
  home = await store.environment();
});
afterAll(async () => {
  await store[Symbol.asyncDispose]();
});

const write = <T>(work: (tx: Transaction) => Promise<T>): Promise<T> =>
  store.database.withEntities({ ...home.scope, locks: [] }, work);

const sealed = (text: string, box = old) => box.seal(text, home.scope.environmentId);

function webhook(secret: Uint8Array): Promise<number> {
  const created = { url: 'http://a.test/', events: [], label: null, secret };
  return write(async ({ webhooks }) => (await webhooks.create(created)).id);
}

async function secretsOf(id: number): Promise<string[]> {
  const found = await store.database.withScope(home.scope, ({ webhooks }) => webhooks.toPing(id));
  return found!.secrets.map((secret) => current.open(secret, home.scope.environmentId));
}

const NAME = '\0,"credentials":"AAAA" \\';
const url = (index: number) => `http://ann:${'long'.repeat(20)}${index}@a.test/${index}`;

function bulk(count: number, box = old) {
  const items = Array.from({ length: count }, (_, index) => ({
    input: {
      name: { filename: NAME },
      externalRef: null,
      refusal: null,
      ...sealUrl(url(index), home.scope, box),
    },
  }));
  const params = { types: 'faces', replace: false } as const;
  return write(({ jobs }) => jobs.create({ type: 'bulk_detect', params, items }));
}

const check = ({ keys }: AesSecretBox) =>
  store.installation.claimSecretKey(keys.map((key) => key.check));

test('all secrets get the first key, once', async () => {
  expect(await check(old)).toBe(true);
  const changed = await webhook(sealed('first'));
  await write(({ webhooks }) => webhooks.change(changed, { secret: sealed('second') }));
  const fresh = await webhook(sealed('fresh', both));
  const unsigned = await write(({ webhooks }) =>
    webhooks.create({ url: 'http://a.test/', events: [], label: null, secret: null }),
  );
  await bulk(101);
  const rotation = await rotateSecrets({ ...store, secrets: both });
  expect(rotation).toEqual({
    keyId: KEY_ID,
    rotated: { webhook: 1, previous_webhook: 1, image_url: 101 },
    unreadable: [],
  });
  expect(await secretsOf(changed)).toEqual(['second', 'first']);
  expect(await secretsOf(fresh)).toEqual(['fresh']);
  expect(await secretsOf(unsigned.id)).toEqual([]);
  for (let index = 0; index < 101; index++) {
    const { input } = (await store.jobs.claim(['bulk_detect']))!;
    const posted = input as Parameters<typeof openUrl>[0] & { readonly name: object };
    expect(posted.name).toEqual({ filename: NAME });
    expect(openUrl(posted, home.scope, current)).toBe(url(index));
  }
  expect(await rotateSecrets({ ...store, secrets: current })).toMatchObject({
    rotated: { webhook: 0, previous_webhook: 0, image_url: 0 },
  });
  expect([await check(old), await check(both), await check(current)]).toEqual([false, true, true]);
});

test('a secret that cannot be decrypted stays, with the old key, and the others are rotated', async () => {
  expect(await check(old)).toBe(true);
  const lost = await webhook(sealed('lost', boxOf(Buffer.alloc(32, 9))));
  const found = await webhook(sealed('found'));
  const { rotated, unreadable } = await rotateSecrets({ ...store, secrets: both });
  expect(rotated.webhook).toBe(1);
  expect(unreadable).toEqual([
    expect.stringMatching(
      `^Secret of webhook ${lost} in environment ${home.scope.environmentId}: .* with the key`,
    ),
  ]);
  expect(await secretsOf(found)).toEqual(['found']);
  expect(await check(old)).toBe(true);
});

test('a rotation that was killed continues', async () => {
  expect(await check(old)).toBe(true);
  await webhook(sealed('first'));
  await bulk(101);
  let pages = 0;
  const storedSecrets: StoreFixture['storedSecrets'] = {
    page: (...args) => store.storedSecrets.page(...args),
    replace: (column, ...args) => {
      if (column === 'image_url' && ++pages === 2) throw new Error('Killed.');
      return store.storedSecrets.replace(column, ...args);
    },
  };
  const killed = rotateSecrets({ ...store, storedSecrets, secrets: both });
  await expect(killed).rejects.toThrow('Killed.');
  expect(await check(old)).toBe(true);
  const { rotated } = await rotateSecrets({ ...store, secrets: both });
  expect(rotated).toEqual({ webhook: 0, previous_webhook: 0, image_url: 1 });
  expect(await check(old)).toBe(false);
});

test('what changes, is claimed or ends between the read and the write is not undone', async () => {
  const [changed, removed] = [await webhook(sealed('first')), await webhook(sealed('second'))];
  const job = await bulk(2);
  const storedSecrets: StoreFixture['storedSecrets'] = {
    page: (...args) => store.storedSecrets.page(...args),
    async replace(column, secrets, signal) {
      if (column === 'webhook') {
        await write(({ webhooks }) => webhooks.change(changed, { secret: sealed('next', both) }));
        await write(({ webhooks }) => webhooks.remove(removed));
      }
      if (column === 'image_url') {
        await store.jobs.claim(['bulk_detect']);
        await write(({ jobs }) => jobs.cancel(job.id));
      }
      return store.storedSecrets.replace(column, secrets, signal);
    },
  };
  const { rotated } = await rotateSecrets({ ...store, storedSecrets, secrets: both });
  // The former secret has moved to the column of previous ones, and only the claimed item still has credentials.
  expect(rotated).toEqual({ webhook: 0, previous_webhook: 1, image_url: 1 });
  expect(await secretsOf(changed)).toEqual(['next', 'first']);
  const inputs = await store.query<{ has: boolean }>(
    `SELECT input::text LIKE '%,"credentials":"%' AS has FROM job_items ORDER BY index`,
  );
  expect(inputs.map(({ has }) => has)).toEqual([true, false]);
});
