import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { CurrentOperation } from '@sightline/core/store/current-operation';
import { createMigratedDatabase } from '@sightline/test/support/servers/migrated-database';
import { type TestConnection, withClient } from '@sightline/test/support/servers/test-server';
import { type ApiServer, startApi } from '../../testing/api-server.ts';
import { Curator, operationOf } from '../../testing/curator.ts';
import { facesInRow } from '../../testing/people.ts';

/** Decisions and deletions between an operation and its undo. Each test ends with rows that do not contradict each other. */
let api: ApiServer;
let curator: Curator;
let connection: TestConnection;

beforeAll(async () => {
  api = await startApi(async () => {
    const database = await createMigratedDatabase();
    ({ connection } = database);
    return database;
  });
  curator = new Curator(api);
});
beforeEach(async () => {
  await api.reset();
  api.analyzer.facesOf = facesInRow;
});
afterEach(async () => {
  expect(await api.stores.maintenance.contradictions()).toEqual([]);
});
afterAll(() => api[Symbol.asyncDispose]());

const reject = (id: number) => api.client.rejectFace({ path: { id } });
const deleteFaces = (...ids: number[]) =>
  api.client.deleteDetections({ body: { detection_ids: ids } });
const setUndoDays = (value: number) =>
  api.client.putSetting({ path: { key: 'curation.undo_days' }, body: { value } });
const shown = async (id: number) => (await api.client.getDetection({ path: { id } })).body!;
const labelOf = async (id: number) => (await api.client.getIdentity({ path: { id } })).body?.label;

/** Begins a merge, as a process does that ends after its first transaction. */
async function beginMerge(from: number, into: number): Promise<CurrentOperation> {
  const { id: environmentId } = await api.stores.keys.environment(api.environment);
  const operation = new CurrentOperation('merge');
  await api.stores.database.withEntities(
    { environmentId, operation, locks: [{ entity: 'environment' }] },
    async ({ identities, merges }) => {
      const [source, target] = [await identities.byId(from), await identities.byId(into)];
      await merges.begin(source!, target!);
    },
  );
  return operation;
}

describe('a reference does not return', () => {
  test.each([
    ['to a face that was rejected since', reject],
    ['to a face that was deleted since', (id: number) => deleteFaces(id)],
  ])('%s', async (_, change) => {
    const { face } = await curator.enroll('Anna', '0');
    const revoked = operationOf(await api.client.revokeDetection({ path: { id: face } }));
    await change(face);
    expect(await curator.undo(revoked)).toMatchObject({
      status: 200,
      body: { operation_id: null, skipped: [{ detection_id: face, code: 'changed_since' }] },
    });
  });
});

describe('an older merge that a request finishes first', () => {
  test('keeps its own operation', async () => {
    const { identity: anna } = await curator.enroll('Anna', '0');
    const { identity: berta } = await curator.enroll('Berta', '180');
    const merged = await beginMerge(anna, berta);
    const deleted = await api.client.deleteIdentity({ path: { id: berta } });
    expect(operationOf(deleted)).toBeGreaterThan(merged.id!);
    const { body } = await api.client.listOperations({});
    expect(body!.items.slice(0, 2).map(({ kind }) => kind)).toEqual(['delete_identities', 'merge']);
  });

  test('keeps its target', async () => {
    const [face] = await curator.detect('90');
    const named = await api.client.labelDetection({
      path: { id: face },
      body: { label: 'Carla' },
    });
    const carla = named.body!.identity_id;
    const { body: empty } = await api.client.createIdentity({
      body: { label: 'Empty', type: 'face' },
    });
    await beginMerge(empty!.id, carla);
    expect(await curator.undo(operationOf(named))).toMatchObject({
      body: { undone: 1, skipped: [{ identity_id: carla, code: 'changed_since' }] },
    });
    await api.client.deleteIdentity({ path: { id: carla } });
  });
});

describe('a detection does not return without its image', () => {
  test('that was deleted permanently', async () => {
    const [face] = await curator.detect('90 91');
    const path = { id: (await shown(face)).source_image_id };
    const deleted = operationOf(await deleteFaces(face));
    await setUndoDays(0);
    await api.client.deleteImage({ path });
    expect(await curator.undo(deleted)).toMatchObject({
      status: 200,
      body: { operation_id: null, skipped: [{ detection_id: face }] },
    });
  });

  test('that an older operation had kept', async () => {
    const [face] = await curator.detect('80 81');
    const path = { id: (await shown(face)).source_image_id };
    const deleted = operationOf(await deleteFaces(face));
    await curator.undo(operationOf(await api.client.deleteImage({ path })));
    await setUndoDays(0);
    await api.client.deleteImage({ path });
    expect(await curator.undo(deleted)).toMatchObject({ body: { operation_id: null } });
    expect((await api.client.getStats()).body).toMatchObject({ source_images: 0 });
  });
});

describe('another label', () => {
  test('is for the person who returns', async () => {
    const { identity: anna } = await curator.enroll('Anna', '0');
    const { identity: berta } = await curator.enroll('Berta', '180');
    await api.client.setIdentityRef({ path: { id: anna }, body: { external_ref: 'hr/1' } });
    const merged = operationOf(await curator.merge(anna, berta));
    await curator.enroll('Anna', '45');
    const refused = await curator.undo(merged, { label: 'Berta' });
    expect(refused.problem).toMatchObject({ code: 'identity_exists', identity_id: berta });
    expect(await curator.undo(merged, { label: 'Anna K.' })).toMatchObject({ status: 200 });
    expect([await labelOf(anna), await labelOf(berta)]).toEqual(['Anna K.', 'Berta']);
  });

  test('changes no other person', async () => {
    const { identity: anna, face } = await curator.enroll('Anna', '0');
    await api.client.setIdentityCover({ path: { id: anna }, body: { detection_id: face } });
    expect(
      await curator.undo(operationOf(await deleteFaces(face)), { label: 'Zoe' }),
    ).toMatchObject({
      status: 200,
    });
    expect(await labelOf(anna)).toBe('Anna');
  });

  test('is for one of several', async () => {
    const { identity: anna } = await curator.enroll('Anna', '0');
    const { identity: berta } = await curator.enroll('Berta', '180');
    const body = { identity_ids: [anna, berta] };
    const deleted = operationOf(await api.client.deleteIdentities({ body }));
    await curator.enroll('Anna', '45');
    expect(await curator.undo(deleted, { label: 'Zoe' })).toMatchObject({ status: 200 });
    expect([await labelOf(anna), await labelOf(berta)]).toEqual(['Zoe', 'Berta']);
  });
});

describe('a rejection', () => {
  test('does not return to a face that was deleted since', async () => {
    const { identity: anna } = await curator.enroll('Anna', '0');
    const [face] = await curator.detect('90');
    await curator.confirm(face, anna);
    await reject(face);
    const deleted = operationOf(await api.client.deleteIdentity({ path: { id: anna } }));
    await deleteFaces(face);
    expect(await curator.undo(deleted)).toMatchObject({
      status: 200,
      body: { skipped: [{ detection_id: face, code: 'changed_since' }] },
    });
    expect(await labelOf(anna)).toBe('Anna');
  });

  test('that returns is not the last one', async () => {
    const { identity: anna } = await curator.enroll('Anna', '0');
    const { identity: carla } = await curator.enroll('Carla', '180');
    const [face] = await curator.detect('90');
    await curator.confirm(face, anna);
    await reject(face);
    const deleted = operationOf(await api.client.deleteIdentity({ path: { id: anna } }));
    await curator.confirm(face, carla);
    await reject(face);
    expect(await curator.undo(deleted)).toMatchObject({ body: { skipped: [] } });
    await api.client.restoreFace({ path: { id: face } });
    expect(await shown(face)).toMatchObject({ identity_id: carla });
  });
});

test('a cover returns only if it is a face of the person', async () => {
  const { identity: anna, face } = await curator.enroll('Anna', '0');
  const { identity: berta } = await curator.enroll('Berta', '180');
  const [other] = await curator.detect('2');
  await curator.confirm(other, anna);
  const cover = (id: number) =>
    api.client.setIdentityCover({ path: { id: anna }, body: { detection_id: id } });
  await cover(face);
  const changed = operationOf(await cover(other));
  await curator.confirm(face, berta);
  expect(await curator.undo(changed)).toMatchObject({ status: 200 });
});

test('a chain of merges is taken back in any order', async () => {
  const { identity: anna, face } = await curator.enroll('Anna', '0');
  const { identity: berta } = await curator.enroll('Berta', '180');
  const { identity: carla } = await curator.enroll('Carla', '90');
  const first = operationOf(await curator.merge(anna, berta));
  const second = operationOf(await curator.merge(berta, carla));
  expect(await curator.undo(first)).toMatchObject({ body: { skipped: [{ detection_id: face }] } });
  await curator.undo(second);
  expect(await curator.undo(first)).toMatchObject({ body: { skipped: [] } });
  expect(await shown(face)).toMatchObject({ identity_id: anna });
});

test('values that expire during an undo are not used', async () => {
  const { identity: anna } = await curator.enroll('Anna', '0');
  const deleted = operationOf(await api.client.deleteIdentity({ path: { id: anna } }));
  const answer = await withClient(connection, async (client) => {
    await client.query('BEGIN');
    await client.query('SELECT FROM operations WHERE id = $1 FOR UPDATE', [deleted]);
    const undoing = curator.undo(deleted);
    await client.query('SELECT pg_sleep(0.3)');
    await client.query('UPDATE operations SET cleared_at = now() WHERE id = $1', [deleted]);
    await client.query('COMMIT');
    return undoing;
  });
  expect(answer.problem).toMatchObject({ status: 409, code: 'not_undoable' });
});

test('three undos at once take an operation back once', async () => {
  const { identity: anna } = await curator.enroll('Anna', '0');
  const faces = await curator.detect('90 91 92');
  const body = { detection_ids: [...faces], action: 'confirm' as const, identity_id: anna };
  const operation = operationOf(await api.client.reviewFaces({ body }));
  const answers = await Promise.all([
    curator.undo(operation),
    curator.undo(operation),
    curator.undo(operation),
  ]);
  expect(answers.map(({ body: undone }) => undone!.undone).sort()).toEqual([0, 0, 3]);
  expect(answers.flatMap(({ body: undone }) => undone!.skipped)).toEqual([]);
});

test('a repeated answer names the operation', async () => {
  const { identity: anna } = await curator.enroll('Anna', '0');
  const { identity: berta } = await curator.enroll('Berta', '180');
  const request = {
    path: { id: anna },
    body: { into: berta },
    headers: { 'Idempotency-Key': 'once' },
  };
  const first = operationOf(await api.client.mergeIdentity(request));
  expect(first).toBeGreaterThan(0);
  expect(operationOf(await api.client.mergeIdentity(request))).toBe(first);
});
