import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { EntityLock } from '@sightline/core/store/entity-lock';
import { CurrentOperation } from '@sightline/core/store/current-operation';
import type { SeededEnvironment } from '../../support/fixtures/seeded-environment.ts';
import { openStoreFixture, type StoreFixture } from '../../support/fixtures/store-fixture.ts';

/** Long enough for another transaction to come to its first change. */
const WHILE_MS = 100;

let store: StoreFixture;
let home: SeededEnvironment;
let operation: CurrentOperation;

beforeAll(async () => {
  store = await openStoreFixture();
});
beforeEach(async () => {
  home = await store.environment();
  operation = new CurrentOperation('replace', { isSelective: true });
});
afterAll(async () => {
  await store[Symbol.asyncDispose]();
});

/** Gives an identity an external reference in a transaction of the operation. */
function change(
  id: number,
  pause: () => Promise<unknown> = () => Promise.resolve(),
): Promise<number | null> {
  const lock: EntityLock = { entity: 'identity', id, mode: 'exclusive' };
  return store.database.withEntities({ ...home.scope, operation, locks: [lock] }, (tx) =>
    tx.record(async () => {
      await tx.identities.setExternalRef(id, 'hr/1');
      await pause();
    }),
  );
}

const operations = () =>
  store.query('SELECT id, kind, count FROM operations WHERE environment_id = $1', [
    home.scope.environmentId,
  ]);

describe('a selective operation', () => {
  test('has only the changes that it records', async () => {
    const [ada, ann] = [await home.identity('Ada'), await home.identity('Ann')];
    const locks: EntityLock[] = [{ entity: 'environment' }];
    await store.database.withEntities({ ...home.scope, operation, locks }, async (tx) => {
      await tx.identities.setExternalRef(ann, 'before');
      await tx.record(() => tx.identities.setExternalRef(ada, 'hr/1'));
      await tx.identities.setExternalRef(ann, 'after');
    });
    expect(await operations()).toEqual([{ id: operation.id, kind: 'replace', count: 1 }]);
    const items = await store.query(
      'SELECT subject_id AS id FROM operation_items WHERE environment_id = $1',
      [home.scope.environmentId],
    );
    expect(items).toEqual([{ id: ada }]);
  });

  test('is none if nothing is recorded', async () => {
    const ada = await home.identity('Ada');
    const locks: EntityLock[] = [{ entity: 'environment' }];
    await store.database.withEntities({ ...home.scope, operation, locks }, (tx) =>
      tx.identities.setExternalRef(ada, 'hr/1'),
    );
    expect(operation.id).toBeNull();
    expect(await operations()).toEqual([]);
  });

  test('is one for transactions that begin it at the same time', async () => {
    const ids = await Promise.all(['Ada', 'Ann', 'Amy'].map((label) => home.identity(label)));
    const recorded = await Promise.all(ids.map((id) => change(id, () => sleep(WHILE_MS))));
    expect(recorded).toEqual(ids.map(() => operation.id));
    expect(await operations()).toEqual([{ id: operation.id, kind: 'replace', count: 3 }]);
  });

  test('begins with another transaction if one fails', async () => {
    const [ada, ann] = [await home.identity('Ada'), await home.identity('Ann')];
    const failing = change(ada, async () => {
      await sleep(WHILE_MS);
      throw new Error('It failed.');
    });
    const [failed, recorded] = await Promise.allSettled([failing, change(ann)]);
    expect(failed.status).toBe('rejected');
    expect(recorded).toEqual({ status: 'fulfilled', value: operation.id });
    expect(await operations()).toEqual([{ id: operation.id, kind: 'replace', count: 1 }]);
  });
});
