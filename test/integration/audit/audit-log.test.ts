import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { ReadAudit } from '@sightline/core/audit/read-audit';
import type { Scope } from '@sightline/core/store/scope';
import { openTestDoors, type TestDoors } from '../../support/fixtures/open-test-doors.ts';
import { openStoreFixture, type StoreFixture } from '../../support/fixtures/store-fixture.ts';

let store: StoreFixture;
let scope: Scope;

beforeAll(async () => {
  store = await openStoreFixture();
});
beforeEach(async () => {
  ({ scope } = await store.environment());
  await store.query('TRUNCATE audit');
});
afterAll(async () => {
  await store[Symbol.asyncDispose]();
});

const ENTRY = { entity: 'identity', action: 'rename', ids: [7] } as const;

const all = () =>
  store.audit.list({ environmentId: scope.environmentId }, { after: null, limit: 100 });

describe('an entry', () => {
  test('is written with its action, or not at all', async () => {
    const failed = store.database.withEntities({ ...scope, locks: [] }, async (tx) => {
      await tx.audit(ENTRY);
      throw new Error('The action fails.');
    });
    await expect(failed).rejects.toThrow('The action fails.');
    expect((await all()).items).toEqual([]);
    await store.database.withEntities({ ...scope, locks: [] }, (tx) => tx.audit(ENTRY));
    expect((await all()).items).toMatchObject([
      { accountId: null, keyId: null, ids: ['7'], details: { actor: 'service' } },
    ]);
  });

  test('is deleted when it is older than the given number of days', async () => {
    for (const age of [1, 9, 11, 400]) {
      await store.database.withEntities({ ...scope, locks: [] }, (tx) =>
        tx.audit({ ...ENTRY, ids: [age] }),
      );
      await store.query(
        `UPDATE audit SET at = now() - make_interval(days => $1::int) - interval '1 minute'
         WHERE entity_ids = ARRAY[$1::int::text]`,
        [age],
      );
    }
    expect(await store.audit.prune(10)).toBe(2);
    expect((await all()).items.map(({ ids }) => ids)).toEqual([['1'], ['9']]);
    await expect(store.audit.prune(0)).rejects.toThrow('at least one day');
  });
});

describe('the role of the service', () => {
  let doors: TestDoors;
  beforeAll(async () => {
    doors = await openTestDoors();
  });
  afterAll(async () => {
    await doors[Symbol.asyncDispose]();
  });

  test.each(['UPDATE audit SET user_id = NULL', 'DELETE FROM audit', 'TRUNCATE audit'])(
    'may not %s',
    async (statement) => {
      const change = doors.doors.onPlatform('accounts', (session) => session.query(statement));
      await expect(change).rejects.toThrow('permission denied');
    },
  );
});

describe('entries of reads', () => {
  const read = (id: number) => ({ entity: 'image', action: 'identify', ids: [id] }) as const;

  test('are written in batches, with the time and the actor of their requests', async () => {
    const writes: number[] = [];
    const lost: number[] = [];
    const reads = new ReadAudit(
      {
        record: (entries) => {
          writes.push(entries.length);
          return store.audit.record(entries);
        },
      },
      { lost: (entries) => lost.push(entries) },
    );
    const actor = { kind: 'request', accountId: null, keyId: 7, requestId: 'a' } as const;
    for (let i = 0; i < 501; i++) reads.note({ ...scope, actor }, read(i));
    await reads[Symbol.asyncDispose]();
    expect({ writes, lost }).toEqual({ writes: [500, 1], lost: [] });
    const { items } = await all();
    expect(items).toHaveLength(100);
    expect(items[0]).toMatchObject({ keyId: 7, requestId: 'a', entity: 'image', details: {} });
  });

  test('that cannot be written are counted, and do not stop later ones', async () => {
    const lost: number[] = [];
    let isDown = true;
    const record = (entries: Parameters<typeof store.audit.record>[0]) =>
      isDown ? Promise.reject(new Error('down')) : store.audit.record(entries);
    const reads = new ReadAudit({ record }, { lost: (entries) => lost.push(entries) });
    for (let i = 0; i < 20_001; i++) reads.note(scope, read(i));
    await reads[Symbol.asyncDispose]();
    expect(lost.reduce((sum, count) => sum + count)).toBe(20_001);
    isDown = false;
    reads.note(scope, read(1));
    await reads[Symbol.asyncDispose]();
    expect((await all()).items).toHaveLength(1);
  });
});
