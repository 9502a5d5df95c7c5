import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { slotLockKey } from '@sightline/postgres/doors/lock-plan';
import { ReadCounter } from '../../support/fixtures/read-counter.ts';
import type { SeededEnvironment } from '../../support/fixtures/seeded-environment.ts';
import { createTestDatabase } from '../../support/servers/test-database.ts';
import { withClient } from '../../support/servers/test-server.ts';
import { openStoreFixture, type StoreFixture } from '../../support/fixtures/store-fixture.ts';

let store: StoreFixture;
let home: SeededEnvironment;
let other: SeededEnvironment;

beforeEach(async () => {
  store = await openStoreFixture();
  home = await store.environment();
  other = await store.environment();
  await face(other);
  await store.models.activate(store.retiredFaceModelId);
});
afterEach(async () => {
  await store[Symbol.asyncDispose]();
});

const behind = () => store.activations.behindSinceSwitch(store.retiredFaceModelId);

/** Stores a face that has no vectors of the model, and emits its event. */
async function face(environment: SeededEnvironment): Promise<number> {
  const { ids } = await environment.photo([{}]);
  const [detectionId = 0] = ids;
  const facts = { detectionId, type: 'face', identityId: null, externalRef: null } as const;
  await store.database.withEntities({ ...environment.scope, locks: [] }, (tx) =>
    tx.emit({ event: 'detection_created', facts }),
  );
  return detectionId;
}

test('environments with faces announced after a switch are behind', async () => {
  expect(await behind()).toEqual([]);
  await home.identity('Bea');
  expect(await behind()).toEqual([]);
  const id = await face(home);
  expect(await behind()).toEqual([home.scope.environmentId]);
  await home.embed(id, store.retiredFaceModelId, Float32Array.of(1, 0));
  expect(await behind()).toEqual([]);
});

test('what was stored at the end of the minute is found by a worker that was down then', async () => {
  await face(home);
  const age = (seconds: number) =>
    store.query(`UPDATE activations SET switched_at = now() - ${seconds} * interval '1 second'`);
  await age(150);
  expect(await behind()).toEqual([home.scope.environmentId]);
  await age(200);
  expect(await behind()).toEqual([]);
});

test('transactions of other databases are none of it', async () => {
  await using another = await createTestDatabase();
  await withClient(another.connection, async (client) => {
    await client.query('BEGIN; SELECT pg_current_xact_id()');
    await face(other);
    await store.models.activate(store.faceModelId);
    await store.models.activate(store.retiredFaceModelId);
    expect(await behind()).toEqual([]);
    await client.query('ROLLBACK');
  });
});

test('after a restore into a database with restarted transaction ids nothing is missed', async () => {
  await store.query(`UPDATE activations SET horizon = '9000000000000000000'`);
  const ids = [home, other].map(({ scope }) => scope.environmentId);
  await face(home);
  expect([...(await behind())].sort((a, b) => a - b)).toEqual(ids);
});

test('events before a switch are not read', async () => {
  await using counter = await ReadCounter.open(['outbox']);
  await counter.owner.query(`
    INSERT INTO environments (name) VALUES ('ours');
    INSERT INTO models (name, digest, task, version, license, commercial_use, provides,
      embedding_dim, classes, status)
    VALUES ('m', sha256('m'), 'face', '1', 'MIT', true, '{}', 2, '{}', 'active')`);
  await counter.owner.query(`
    INSERT INTO outbox (environment_id, event, version, data)
    SELECT 1, 'identity.deleted', 1, '{}' FROM generate_series(1, 20000)`);
  await counter.owner.query(`
    INSERT INTO activations (slot, previous_id, switched_at, horizon)
    VALUES ('face', 1, now(), pg_snapshot_xmax(pg_current_snapshot()));
    ANALYZE`);
  const read = await counter.tablesReadThrough(async ({ activations }) => {
    expect(await activations.behindSinceSwitch(1)).toEqual([]);
  });
  expect(read).toEqual([]);
});

test('the minute after a switch begins when the switch ends its wait for transactions that store', async () => {
  const waited = await withClient(store.connection, async (client) => {
    await client.query('BEGIN');
    await client.query('SELECT pg_advisory_xact_lock_shared($1)', [String(slotLockKey('face'))]);
    const switched = store.models.activate(store.faceModelId);
    for (let polls = 0; polls < 1_000; polls++) {
      const locks = await store.query(
        "SELECT FROM pg_locks WHERE NOT granted AND locktype = 'advisory'",
      );
      if (locks.length > 0) break;
      await sleep(5);
    }
    const { rows } = await client.query<{ at: Date }>('SELECT clock_timestamp() AS at');
    await client.query('COMMIT');
    await switched;
    return rows[0]!.at;
  });
  const later = await store.query('SELECT FROM activations WHERE switched_at > $1', [waited]);
  expect(later).toHaveLength(1);
});
