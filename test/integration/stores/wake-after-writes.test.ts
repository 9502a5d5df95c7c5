import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { wakeAfterWrites } from '@sightline/core/database/wake-after-writes';
import { createJob, endItem, imagesJob } from '../../support/fixtures/seed-jobs.ts';
import { openStoreFixture, type StoreFixture } from '../../support/fixtures/store-fixture.ts';

let store: StoreFixture;

beforeAll(async () => {
  store = await openStoreFixture();
});

afterAll(async () => {
  await store[Symbol.asyncDispose]();
});

test('a transaction wakes who works on jobs if it has created one', async () => {
  const woken: string[] = [];
  const database = wakeAfterWrites(store.database, {
    written: () => woken.push('written'),
    jobCreated: () => woken.push('job created'),
  });
  const home = await store.environment();
  const { id } = await createJob({ database }, home, imagesJob(1));
  expect(woken).toEqual(['written', 'job created']);
  await endItem({ database }, (await store.jobs.claim(['reprocess']))!);
  const locks = { ...home.scope, locks: [] };
  await database.withEntities(locks, async ({ jobs }) => {
    expect(await jobs.byId(id)).toMatchObject({ status: 'done' });
    expect(await jobs.list({ before: null, limit: 1 })).toMatchObject({ items: [{ id }] });
    expect(await jobs.endedItems(id, { after: -1, limit: 1 })).toHaveLength(1);
    await jobs.remove(id);
  });
  const failing = database.withEntities(locks, async ({ jobs }) => {
    await jobs.cancel((await jobs.create(imagesJob(1))).id);
    throw new Error('rolled back');
  });
  await expect(failing).rejects.toThrow('rolled back');
  expect(woken).toEqual(['written', 'job created', 'written', 'written']);
});
