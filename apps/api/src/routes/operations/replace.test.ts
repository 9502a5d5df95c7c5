import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createMigratedDatabase } from '@sightline/test/support/servers/migrated-database';
import { type TestConnection, withClient } from '@sightline/test/support/servers/test-server';
import { type ApiServer, startApi } from '../../testing/api-server.ts';
import { Curator, operationOf } from '../../testing/curator.ts';
import { decidedRows } from '@sightline/test/support/fixtures/decided-rows';
import { faceAt, facesInRow, photo } from '../../testing/people.ts';

/** Runs that replace detections about which people decided. */
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

const GROUP = '88 90 180 91 92';

const replace = (text: string) =>
  api.client.detectFaces({ body: { file: photo(text), replace: true } });
const shown = async (id: number) => (await api.client.getDetection({ path: { id } })).body;
const stats = async () => (await api.client.getStats()).body!;

async function rows() {
  const { id } = await api.stores.keys.environment(api.environment);
  return withClient(connection, (client) => decidedRows(client, id));
}

async function kindsOfOperations() {
  const { body } = await api.client.listOperations({});
  return body!.items.map(({ kind }) => kind);
}

/** The ids of what an operation changed. */
async function changedBy(id: number) {
  const { body } = await api.client.listOperationItems({ path: { id } });
  return body!.items.flatMap(({ detection_id: changed }) => changed ?? []);
}

/** A photo of five faces: a confirmed one, a reference that is a cover, a rejected one, and two that are open. */
async function decideAboutGroup() {
  const { identity: anna } = await curator.enroll('Anna', '0');
  const faces = await curator.detect(GROUP);
  const [confirmed, cover, rejected, open] = faces;
  await curator.confirm(confirmed, anna);
  await curator.confirm(cover!, anna);
  await api.client.setIdentityCover({ path: { id: anna }, body: { detection_id: cover! } });
  await curator.confirm(rejected!, anna);
  await api.client.rejectFace({ path: { id: rejected! } });
  const { source_image_id: image } = (await shown(open!))!;
  return { anna, image, faces, decided: [confirmed, cover!, rejected!] };
}

describe('a run with replace', () => {
  test('is no operation if nobody has decided', async () => {
    const [face] = await curator.detect('90 91');
    const answer = await replace('90 91');
    expect(answer.headers.has('x-operation-id')).toBe(false);
    expect(await kindsOfOperations()).toEqual([]);
    expect(await shown(face)).toBeNull();
    expect(await stats()).toMatchObject({ detections: 2, set_aside_bytes: 0 });
  });

  test('keeps exactly the detections about which people decided', async () => {
    const { decided } = await decideAboutGroup();
    const answer = await replace(GROUP);
    const operation = operationOf(answer);
    expect(operation).toBeGreaterThan(0);
    expect(await changedBy(operation)).toEqual(decided);
    expect((await kindsOfOperations())[0]).toBe('replace');
    expect((await stats()).set_aside_bytes).toBeGreaterThan(0);
  });

  test('is taken back where the photo shows nothing else now', async () => {
    const { anna, faces, decided } = await decideAboutGroup();
    const crop = (await shown(decided[1]!))!.crop_url;
    const open = faces.filter((id) => !decided.includes(id));
    const before = await rows();
    api.analyzer.facesOf = () => [];
    const operation = operationOf(await replace(GROUP));
    expect((await api.fetch(crop)).status).toBe(404);
    expect(await curator.undo(operation)).toMatchObject({ status: 200, body: { skipped: [] } });
    expect((await api.fetch(crop)).status).toBe(200);
    const { body: cover } = await api.client.getIdentity({ path: { id: anna } });
    expect(cover).toMatchObject({ cover_detection_id: decided[1] });
    const without = (all: readonly unknown[]) =>
      all.filter((row) => {
        const { id, detection_id: of } = row as { id?: number; detection_id?: number };
        return !open.includes(of ?? id ?? 0);
      });
    const after = await rows();
    expect(without(before.detections!)).toEqual(after.detections);
    expect(without(before.face_vectors!)).toEqual(after.face_vectors);
    expect(before.face_references).toEqual(after.face_references);
    expect(before.rejected_pairs).toEqual(after.rejected_pairs);
  });

  test('is not taken back where it found something, and the answer says so', async () => {
    const { decided } = await decideAboutGroup();
    // The first two boxes of the row are found again.
    api.analyzer.facesOf = () => facesInRow('88 90');
    const operation = operationOf(await replace(GROUP));
    const { body } = await curator.undo(operation);
    expect(body!.skipped).toEqual([
      { detection_id: decided[0], code: 'changed_since' },
      { detection_id: decided[1], code: 'changed_since' },
    ]);
    expect(await shown(decided[2]!)).not.toBeNull();
  });

  test.each([
    ['keeps drawn boxes', 'face'],
    ['keeps drawn boxes of objects', 'object'],
  ] as const)('%s', async (_, type) => {
    const [face] = await curator.detect('90');
    const { source_image_id: image } = (await shown(face))!;
    const drawn = await api.client.createDetection({
      path: { id: image },
      body: { type, bbox: { x: 0, y: 60, w: 20, h: 20 } },
    });
    const path = { id: image };
    const query = { replace: true, type: type === 'face' ? 'faces' : 'objects' } as const;
    const operation = operationOf(await api.client.reprocessImage({ path, query }));
    expect(await changedBy(operation)).toEqual([drawn.body!.detection_id]);
    expect(await curator.undo(operation)).toMatchObject({ body: { undone: 1, skipped: [] } });
    expect(await shown(drawn.body!.detection_id)).toMatchObject({ is_manual: true });
  });

  test('keeps nothing if the environment keeps nothing', async () => {
    const { decided } = await decideAboutGroup();
    const setting = { path: { key: 'curation.undo_days' }, body: { value: 0 } } as const;
    await api.client.putSetting(setting);
    const operation = operationOf(await replace(GROUP));
    expect((await stats()).set_aside_bytes).toBe(0);
    expect((await curator.undo(operation)).problem).toMatchObject({ code: 'not_undoable' });
    expect(await shown(decided[0]!)).toBeNull();
  });

  test('can be done again after its undo', async () => {
    const { decided } = await decideAboutGroup();
    api.analyzer.facesOf = () => [];
    const operation = operationOf(await replace(GROUP));
    const undo = operationOf(await curator.undo(operation));
    expect(await curator.undo(undo)).toMatchObject({ body: { skipped: [] } });
    expect(await shown(decided[0]!)).toBeNull();
    expect(await curator.undo(operation)).toMatchObject({ body: { skipped: [] } });
    expect(await shown(decided[0]!)).not.toBeNull();
  });
});

describe('the photo of a run with replace', () => {
  test('was deleted and sent again: detections return onto the new one where no box overlaps', async () => {
    const { image, decided } = await decideAboutGroup();
    api.analyzer.facesOf = () => [];
    const operation = operationOf(await replace(GROUP));
    await api.client.deleteImage({ path: { id: image } });
    // The second face of the row is found again, and half of another box is not enough.
    api.analyzer.facesOf = () => [
      faceAt(90, { bbox: { x: 50, y: 0, w: 20, h: 20 } }),
      faceAt(3, { bbox: { x: 110, y: 0, w: 20, h: 20 } }),
    ];
    const [again] = await curator.detect(GROUP);
    const { source_image_id: second } = (await shown(again))!;
    expect(second).not.toBe(image);
    const { body } = await curator.undo(operation);
    expect(body!.skipped).toEqual([{ detection_id: decided[1], code: 'changed_since' }]);
    expect(await shown(decided[0]!)).toMatchObject({ source_image_id: second });
    expect(await shown(decided[2]!)).toMatchObject({ source_image_id: second });
  });

  test('was deleted: it returns with its detections', async () => {
    const { image, decided } = await decideAboutGroup();
    api.analyzer.facesOf = () => [];
    const operation = operationOf(await replace(GROUP));
    await api.client.deleteImage({ path: { id: image } });
    expect(await curator.undo(operation)).toMatchObject({ body: { skipped: [] } });
    expect(await shown(decided[0]!)).toMatchObject({ source_image_id: image });
  });
});

describe('a batch with replace', () => {
  test('is one operation of all its images, also for a retry', async () => {
    const { identity: anna } = await curator.enroll('Anna', '0');
    const faces: number[] = [];
    const images: number[] = [];
    for (const text of ['90', '91', '92', '93', '94', '95']) {
      const [face] = await curator.detect(text);
      await curator.confirm(face, anna);
      faces.push(face);
      images.push((await shown(face))!.source_image_id);
    }
    const request = {
      body: { source_image_ids: images, type: 'faces', replace: true },
      headers: { 'Idempotency-Key': 'replaced-once' },
    } as const;
    api.analyzer.facesOf = () => [];
    const answer = await api.client.reprocessImages(request);
    const operation = operationOf(answer);
    expect(answer.body).toMatchObject({
      results: images.map(() => ({ operation_id: operation })),
    });
    expect((await changedBy(operation)).sort()).toEqual(faces.sort());
    expect((await kindsOfOperations()).filter((kind) => kind === 'replace')).toHaveLength(1);
    expect(operationOf(await api.client.reprocessImages(request))).toBe(operation);
    expect(await curator.undo(operation)).toMatchObject({ body: { undone: 6, skipped: [] } });
  });
});
