import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createMigratedDatabase } from '@sightline/test/support/servers/migrated-database';
import { type TestConnection, withClient } from '@sightline/test/support/servers/test-server';
import { actAtRandom } from '@sightline/test/support/fixtures/act-at-random';
import { seededRandom } from '@sightline/test/support/fixtures/seeded-random';
import { type ApiServer, startApi } from '../../testing/api-server.ts';
import { Curator, operationOf } from '../../testing/curator.ts';
import { decidedRows } from '@sightline/test/support/fixtures/decided-rows';
import { faceAt, facesInRow, photo } from '../../testing/people.ts';
import { plantGroup } from '../../testing/plant-group.ts';
import { IS_SOAK } from '@sightline/test/support/gates/soak';

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
afterAll(() => api[Symbol.asyncDispose]());

async function rows() {
  const { id } = await api.stores.keys.environment(api.environment);
  return withClient(connection, (client) => decidedRows(client, id));
}

const identityOf = async (id: number) =>
  (await api.client.getDetection({ path: { id } })).body?.identity_id;

describe('an undo', () => {
  test('skips what was changed again, and changes nothing if it is strict', async () => {
    const { identity: anna } = await curator.enroll('Anna', '0');
    const { identity: berta } = await curator.enroll('Berta', '180');
    const [first, second] = await curator.detect('90 91');
    const operation = operationOf(
      await api.client.reviewFaces({
        body: { detection_ids: [first, second!], action: 'confirm', identity_id: anna },
      }),
    );
    await curator.confirm(second!, berta);
    const refused = await curator.undo(operation, { strict: true });
    expect(refused.problem).toMatchObject({ status: 409, code: 'changed_since', changed: 1 });
    expect(await identityOf(first)).toBe(anna);
    const { body: undone } = await curator.undo(operation);
    expect(undone).toMatchObject({
      undone: 1,
      skipped: [{ detection_id: second, code: 'changed_since' }],
    });
    expect(await identityOf(first)).toBeNull();
    expect(await identityOf(second!)).toBe(berta);
  });

  test('as a whole is refused for more records than one transaction should have', async () => {
    const { identity: anna } = await curator.enroll('Anna', '0');
    const [face] = await curator.detect('90');
    const operation = operationOf(
      await api.client.reviewFaces({
        body: { detection_ids: [face], action: 'confirm', identity_id: anna },
      }),
    );
    await withClient(connection, (client) =>
      client.query('UPDATE operations SET count = 10001 WHERE id = $1', [operation]),
    );
    const undo = (strict: boolean) =>
      api.client.undoOperation({
        path: { id: operation },
        query: { async: true },
        body: { strict },
      });
    const { problem } = await undo(true);
    expect(problem).toMatchObject({ status: 400, code: 'invalid_request' });
    expect(problem?.detail).toContain('strict as false');
    expect((await undo(false)).status).toBe(202);
  });

  test('of a merge gives the source what it brought, and not what arrived later', async () => {
    const { identity: anna, face: detection } = await curator.enroll('Anna', '0');
    const { identity: berta, face: other } = await curator.enroll('Berta', '180');
    const merged = await api.client.mergeIdentity({ path: { id: anna }, body: { into: berta } });
    const [later] = await curator.detect('90');
    await curator.confirm(later, berta);
    expect(await curator.undo(operationOf(merged))).toMatchObject({ body: { skipped: [] } });
    expect(await identityOf(detection)).toBe(anna);
    expect(await identityOf(other)).toBe(berta);
    expect(await identityOf(later)).toBe(berta);
    const { body } = await api.client.getIdentity({ path: { id: anna } });
    expect(body).toMatchObject({ label: 'Anna', detection_count: 1, embedding_count: 1 });
  });

  test('of a merge needs another label if the own one is in use', async () => {
    const { identity: anna } = await curator.enroll('Anna', '0');
    const { identity: berta } = await curator.enroll('Berta', '180');
    const merged = await api.client.mergeIdentity({ path: { id: anna }, body: { into: berta } });
    const { identity: namesake } = await curator.enroll('Anna', '45');
    const refused = await curator.undo(operationOf(merged));
    expect(refused.problem).toMatchObject({
      status: 409,
      code: 'identity_exists',
      identity_id: namesake,
    });
    expect(await curator.undo(operationOf(merged), { label: ' Anna K. ' })).toMatchObject({
      status: 200,
    });
    const { body } = await api.client.getIdentity({ path: { id: anna } });
    expect(body).toMatchObject({ label: 'Anna K.' });
  });

  test('keeps an identity that was used since', async () => {
    const [stranger, later] = await curator.detect('90 91');
    const named = await api.client.labelDetection({
      path: { id: stranger },
      body: { label: 'Carla' },
    });
    const carla = named.body!.identity_id;
    await curator.confirm(later!, carla);
    const { body } = await curator.undo(operationOf(named));
    expect(body).toMatchObject({
      undone: 1,
      skipped: [{ identity_id: carla, code: 'changed_since' }],
    });
    expect(await identityOf(stranger)).toBeNull();
    expect(await identityOf(later!)).toBe(carla);
  });

  test('skips a face whose person was deleted since', async () => {
    const { identity: anna } = await curator.enroll('Anna', '0');
    const { identity: berta } = await curator.enroll('Berta', '180');
    const [face] = await curator.detect('90');
    await curator.confirm(face, anna);
    const moved = await curator.confirm(face, berta);
    await api.client.deleteIdentity({ path: { id: anna } });
    const { body } = await curator.undo(operationOf(moved));
    expect(body).toEqual({
      operation_id: null,
      undone: 0,
      skipped: [{ detection_id: face, code: 'not_found' }],
    });
    expect(await identityOf(face)).toBe(berta);
  });

  test('puts faces onto the photo if it was sent again since, and keeps one of two boxes', async () => {
    const [first] = await curator.detect('90');
    const { body: image } = await api.client.getDetection({ path: { id: first } });
    const path = { id: image!.source_image_id };
    const deleted = await api.client.deleteImage({ path });
    const [again] = await curator.detect('90');
    expect(again).not.toBe(first);
    const { body } = await curator.undo(operationOf(deleted));
    expect(body).toMatchObject({ skipped: [{ detection_id: first, code: 'changed_since' }] });
    const { body: stats } = await api.client.getStats();
    expect(stats).toMatchObject({ source_images: 1, detections: 1 });
  });
});

describe('what was deleted', () => {
  test('is invisible, and its files return with it', async () => {
    const { identity: anna, face: detection } = await curator.enroll('Anna', '0');
    const { body: shown } = await api.client.getDetection({ path: { id: detection } });
    const fileOf = async () => (await api.fetch(shown!.crop_url)).status;
    expect(await fileOf()).toBe(200);
    const deleted = await api.client.deleteIdentity({ path: { id: anna } });
    expect(await fileOf()).toBe(404);
    expect((await api.client.getIdentity({ path: { id: anna } })).status).toBe(404);
    expect((await api.client.getStats()).body).toMatchObject({ identities: 0 });
    await curator.undo(operationOf(deleted));
    expect(await fileOf()).toBe(200);
    expect(await identityOf(detection)).toBe(anna);
  });

  test('is turned as before, also if it was deleted before angles were stored', async () => {
    api.analyzer.facesOf = () => [faceAt(0, { turned: 90 })];
    const [detection] = await curator.detect('0');
    const angleAfterUndo = async (change: (operation: number) => Promise<unknown>) => {
      const operation = operationOf(await api.client.deleteDetection({ path: { id: detection } }));
      await change(operation);
      await curator.undo(operation);
      return (await api.client.getDetection({ path: { id: detection } })).body?.turned;
    };
    expect(await angleAfterUndo(() => Promise.resolve())).toBe(90);
    const withoutAngle = (operation: number) =>
      withClient(connection, (client) =>
        client.query(
          `UPDATE operation_items SET before = before - 'turned' WHERE operation_id = $1`,
          [operation],
        ),
      );
    expect(await angleAfterUndo(withoutAngle)).toBe(0);
  });

  test('is kept for the days of the setting, and its files with it', async () => {
    const { identity: anna } = await curator.enroll('Anna', '0');
    const deleted = await api.client.deleteIdentity({ path: { id: anna } });
    expect(await api.stores.operationPruner.clear()).toBeNull();
    await withClient(connection, (client) =>
      client.query(`UPDATE operations SET expires_at = now() WHERE id = $1`, [
        operationOf(deleted),
      ]),
    );
    const files = await api.stores.operationPruner.clear();
    expect(files).toHaveLength(2);
    expect(await api.stores.maintenance.orphans(files!)).toEqual(files);
    expect(await api.stores.operationPruner.clear()).toBeNull();
    const refused = await curator.undo(operationOf(deleted));
    expect(refused.problem).toMatchObject({ status: 409, code: 'not_undoable' });
    const { body } = await api.client.listOperations({});
    expect(body!.items[0]).toMatchObject({ kind: 'delete_identities', undoable: false });
  });
});

describe('a deletion with purge', () => {
  test('keeps nothing, also of what was deleted before', async () => {
    const { identity: anna, face: detection } = await curator.enroll('Anna', '0');
    const [later] = await curator.detect('1');
    const moved = operationOf(await curator.confirm(later, anna));
    const earlier = await api.client.deleteDetections({ body: { detection_ids: [later] } });
    expect((await api.client.getStats()).body!.set_aside_bytes).toBeGreaterThan(0);
    const path = { id: anna };
    const purged = await api.client.deleteIdentity({ path, query: { purge: true } });
    const { body: stats } = await api.client.getStats();
    expect(stats).toMatchObject({ set_aside_bytes: 0, storage_bytes: 0, detections: 0 });
    const refused = await curator.undo(operationOf(purged));
    expect(refused.problem).toMatchObject({ status: 409, code: 'not_undoable' });
    for (const id of [moved, operationOf(earlier)]) {
      expect((await curator.undo(id)).body).toMatchObject({ operation_id: null, undone: 0 });
    }
    const { rows: kept } = await withClient(connection, (client) =>
      client.query(
        `SELECT FROM operation_items
         WHERE (subject = 'identity' AND subject_id = $1 OR subject = 'detection' AND subject_id = any($2))
           AND (before IS NOT NULL OR after IS NOT NULL)`,
        [anna, [detection, later]],
      ),
    );
    expect(kept).toEqual([]);
  });
});

describe('the callers of an undo', () => {
  test('take back their own operations with the right review, and all with full', async () => {
    const { operation } = await curator.enroll('Anna', '0');
    const [stranger] = await curator.detect('90');
    const reviewer = await api.clientOf({ right: 'review' });
    const refused = await reviewer.undoOperation({ path: { id: operation }, body: {} });
    expect(refused.problem).toMatchObject({ status: 403, code: 'forbidden' });
    const own = await reviewer.rejectFace({ path: { id: stranger } });
    const undone = await reviewer.undoOperation({ path: { id: operationOf(own) }, body: {} });
    expect(undone).toMatchObject({ status: 200, body: { undone: 1 } });
    expect(await curator.undo(operation)).toMatchObject({ status: 200 });
    const reader = await api.clientOf({ right: 'read' });
    expect((await reader.listOperations({})).body!.items[0]).toMatchObject({ actor: null });
    const { body } = await api.client.listOperations({});
    const { actor } = body!.items[0]!;
    expect(actor).toMatchObject({ user_id: null, key_id: expect.any(Number) });
    for (const query of [
      { key_id: actor!.key_id! },
      { key_id: 999_999_999 },
      { account_id: 'any' },
    ]) {
      expect((await reader.listOperations({ query })).problem).toMatchObject({ code: 'forbidden' });
      expect((await reviewer.listOperations({ query })).status).toBe(200);
    }
  });
});

describe('random curation', () => {
  test.each(IS_SOAK ? [1, 2, 3, 4, 5, 6, 7, 8] : [1, 2])(
    'is taken back in reverse order (seed %i)',
    async (seed) => {
      const random = seededRandom(seed);
      const newPhoto = () => photo(String(Math.floor(random() * 180)));
      await curator.enroll('Anna', '0');
      await curator.enroll('Berta', '180');
      await curator.detect('88 89 90 91 92');
      await curator.detect('3 178');
      await plantGroup(api, await curator.detect('268 269 270 271 272 273'));
      const steps: { readonly operation: number; readonly before: unknown }[] = [];
      for (let n = 0; n < (IS_SOAK ? 125 : 25); n++) {
        const before = await rows();
        const operation = operationOf(await actAtRandom(api.client, { random, newPhoto }));
        if (operation > 0) steps.push({ operation, before });
        else expect(await rows()).toEqual(before);
      }
      expect(steps.length).toBeGreaterThan(10);
      for (const { operation, before } of steps.reverse()) {
        expect(await curator.undo(operation)).toMatchObject({ status: 200, body: { skipped: [] } });
        expect(await rows()).toEqual(before);
      }
      expect(await api.stores.maintenance.contradictions()).toEqual([]);
    },
  );
});
