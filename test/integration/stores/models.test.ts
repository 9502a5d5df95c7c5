import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ActiveModel } from '@sightline/core/models/model';
import type { ModelStatus } from '@sightline/core/models/model-life';
import { FACE_MODEL, OBJECT_MODEL } from '@sightline/core/models/testing/sample-models';
import { withClient } from '../../support/servers/test-server.ts';
import { openStoreFixture, type StoreFixture } from '../../support/fixtures/store-fixture.ts';

let store: StoreFixture;

beforeAll(async () => {
  store = await openStoreFixture();
});

afterAll(async () => {
  await store[Symbol.asyncDispose]();
});

const model = (name: string, changes: Partial<ActiveModel> = {}): ActiveModel => ({
  ...FACE_MODEL,
  name,
  revision: 'a'.repeat(64),
  ...changes,
});

const retireAll = () =>
  store.query(`UPDATE models SET status = 'downloaded' WHERE status = 'active'`);

const setStatus = (id: number, status: ModelStatus) =>
  store.query('UPDATE models SET status = $2 WHERE id = $1', [id, status]);

async function statusOf(id: number): Promise<ModelStatus> {
  const [row] = await store.query<{ status: ModelStatus }>(
    'SELECT status FROM models WHERE id = $1',
    [id],
  );
  return row!.status;
}

/** Returns the expected row of a model, without the members about commercial use. */
function rowOf(model: ActiveModel, id: unknown): object {
  const kept = Object.entries(model).filter(([member]) => !member.startsWith('commercialUse'));
  return { ...Object.fromEntries(kept), id };
}

test('models are read as they were registered, in their order, once for each content', async () => {
  const face = model('face', {
    provides: ['age', 'gender', 'pose', 'landmarks'],
    embeddingDim: 512,
    similarityCalibration: [
      [-1, -1],
      [0.3, 0.5],
      [1, 1],
    ],
  });
  const object = { ...OBJECT_MODEL, name: 'object', classes: ['a "quoted" class', 'b,c', '{d}'] };
  const changed = { ...face, revision: 'b'.repeat(64) };
  const first = await store.models.register([object, face, changed, face]);
  expect(first).toEqual(
    [object, face, changed, face].map((given) => rowOf(given, expect.any(Number))),
  );
  expect(first[3]!.id).toBe(first[1]!.id);
  expect(new Set(first.map(({ id }) => id)).size).toBe(3);
  expect(await store.models.register([changed, object])).toEqual([first[2], first[0]]);
  expect(await store.models.register([])).toEqual([]);
});

test('the other members of a manifest are those of the last registration', async () => {
  const [first] = await store.models.register([model('renewed', { license: 'unknown' })]);
  const renewed = model('renewed', {
    license: 'MIT',
    version: '2',
    similarityCalibration: [[0, 0]],
  });
  expect(await store.models.register([renewed])).toEqual([rowOf(renewed, first!.id)]);
});

test('a row says whether commercial use is known to be allowed', async () => {
  const uses = [true, false, 'unknown'] as const;
  await store.models.register(
    uses.map((commercialUse) => model(`use ${commercialUse}`, { commercialUse })),
  );
  const rows = await store.query(
    `SELECT name, commercial_use FROM models WHERE name LIKE 'use %' ORDER BY name`,
  );
  expect(rows).toEqual([
    { name: 'use false', commercial_use: false },
    { name: 'use true', commercial_use: true },
    { name: 'use unknown', commercial_use: null },
  ]);
});

test('one model of each task is active, the one that was activated last', async () => {
  await retireAll();
  expect(await store.models.active()).toEqual([]);
  const [one, two, object] = await store.models.register([
    model('one'),
    model('two'),
    { ...OBJECT_MODEL, name: 'three' },
  ]);
  await store.models.activate(one!.id);
  await store.models.activate(object!.id);
  await store.models.activate(two!.id);
  await store.models.activate(two!.id);
  expect(await store.models.active()).toEqual([two, object]);
  expect(await statusOf(one!.id)).toBe('downloaded');
});

test('a model that is registered again stays active, one that had failed is downloaded', async () => {
  await retireAll();
  const given = [model('active'), model('failed'), model('loading')];
  const [active, failed, loading] = await store.models.register(given);
  await store.models.activate(active!.id);
  await setStatus(failed!.id, 'failed');
  await setStatus(loading!.id, 'loading');
  await store.models.register(given);
  expect(await statusOf(active!.id)).toBe('active');
  expect(await statusOf(failed!.id)).toBe('downloaded');
  expect(await statusOf(loading!.id)).toBe('loading');
});

test('a model that is registered with another task is active in neither', async () => {
  await retireAll();
  const [one, other] = await store.models.register([
    model('moving'),
    { ...OBJECT_MODEL, name: 'staying' },
  ]);
  await store.models.activate(one!.id);
  await store.models.activate(other!.id);
  await store.models.register([model('moving', { task: 'object' })]);
  expect(await store.models.active()).toEqual([other]);
});

test('a model whose files are elsewhere cannot become active, and nothing changes', async () => {
  await retireAll();
  const [one, two] = await store.models.register([model('here'), model('elsewhere')]);
  await store.models.activate(one!.id);
  await setStatus(two!.id, 'available');
  await expect(store.models.activate(two!.id)).rejects.toThrow('cannot become active');
  await expect(store.models.activate(999_999_999)).rejects.toThrow('cannot become active');
  expect(await store.models.active()).toEqual([one]);
});

test('an activation whose jobs cannot be created changes nothing', async () => {
  await retireAll();
  const [one, two] = await store.models.register([model('kept'), model('refused')]);
  await store.models.activate(one!.id);
  const job = (environmentId: number) => ({
    environmentId,
    params: { modelId: two!.id, faces: 'enrolled' as const },
    total: 1,
  });
  const { scope } = await store.environment();
  const jobs = [job(scope.environmentId), job(999_999_999)];
  await expect(store.models.activate(two!.id, { jobsFor: () => jobs })).rejects.toThrow(
    'jobs_environment',
  );
  expect(await store.models.active()).toEqual([one]);
  expect(await store.query('SELECT FROM jobs')).toEqual([]);
  expect(await store.query('SELECT FROM embedding_backlogs')).toEqual([]);
});

test('models that are activated at once leave one active', async () => {
  await retireAll();
  const rows = await store.models.register(
    Array.from({ length: 4 }, (_, i) => model(`rival ${i}`)),
  );
  await Promise.all([...rows, ...rows.toReversed()].map(({ id }) => store.models.activate(id)));
  const active = await store.models.active();
  expect(active).toHaveLength(1);
  expect(rows).toContainEqual(active[0]);
});

test('registering the same models at once creates one row of each', async () => {
  const models = [model('at once 1'), model('at once 2')];
  const rows = await Promise.all(
    [models, models.toReversed(), models].map((given) => store.models.register(given)),
  );
  expect(rows[1]!.toReversed()).toEqual(rows[0]);
  expect(rows[2]).toEqual(rows[0]);
});

test('a switch takes one lock, however many models there are', async () => {
  await retireAll();
  const [next] = await store.models.register([model('next')]);
  // A database that imports filled when each of their models became a row of the installation.
  await store.query(
    `INSERT INTO models (name, digest, task, version, license, provides, embedding_dim, classes, status)
     SELECT 'named ' || n, sha256('named'), 'face', 'unknown', 'unknown', '{}', 2, '{}', 'available'
     FROM generate_series(1, 13000) AS n`,
  );
  const held = await withClient(store.connection, async (client) => {
    await client.query('BEGIN');
    await client.query('SELECT FROM models WHERE id = $1 FOR UPDATE', [next!.id]);
    const switched = store.models.activate(next!.id);
    let waiting: { readonly pid: number } | undefined;
    while (waiting === undefined) {
      await sleep(5);
      [waiting] = await store.query<{ pid: number }>(
        "SELECT pid FROM pg_locks WHERE locktype = 'transactionid' AND NOT granted",
      );
    }
    const ofSwitch = await store.query(
      "SELECT FROM pg_locks WHERE locktype = 'advisory' AND pid = $1",
      [waiting.pid],
    );
    await client.query('ROLLBACK');
    await switched;
    return ofSwitch;
  });
  expect(held).toHaveLength(1);
  await store.models.joinForeign();
  expect(await store.query("SELECT FROM models WHERE name LIKE 'named %'")).toEqual([]);
});
