import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createMigratedDatabase } from '@sightline/test/support/servers/migrated-database';
import { type ApiServer, startApi } from '../../testing/api-server.ts';
import { Curator } from '../../testing/curator.ts';
import { faceAt, facesInRow, photo } from '../../testing/people.ts';

let api: ApiServer;
let curator: Curator;
let faces: readonly [number, ...number[]];

beforeAll(async () => {
  api = await startApi(createMigratedDatabase);
  curator = new Curator(api);
});
beforeEach(async () => {
  await api.reset();
  api.analyzer.facesOf = facesInRow;
  faces = await curator.detect('90 91 92');
});
afterAll(() => api[Symbol.asyncDispose]());

const LATER = '2100-01-01T00:00:00Z';

type DetectionsBody = Parameters<ApiServer['client']['bulkDetections']>[0]['body'];
type ImagesBody = Parameters<ApiServer['client']['bulkImages']>[0]['body'];

const ofDetections = (body: Partial<DetectionsBody>) =>
  api.client.bulkDetections({ body: { action: 'dismiss', where: {}, as_of: LATER, ...body } });
const ofImages = (body: Partial<ImagesBody>) =>
  api.client.bulkImages({ body: { action: 'delete', where: {}, as_of: LATER, ...body } });

describe('POST /api/detections/bulk', () => {
  test('counts what matches, without a change', async () => {
    const { identity: anna, face } = await curator.enroll('Anna', '0');
    api.analyzer.objectsOf = () => [{ ...faceAt(0), classId: 1, className: 'bicycle' }];
    await api.client.detectObjects({ body: { file: photo('street') } });
    const { body: own } = await api.client.getDetection({ path: { id: face } });
    const count = async (body: Partial<DetectionsBody>) =>
      (await ofDetections({ action: 'delete', ...body, dry_run: true })).body;
    expect(await count({})).toEqual({ count: 5 });
    expect(await count({ except: [faces[0], 999_999] })).toEqual({ count: 4 });
    expect(await count({ where: { identity_id: anna } })).toEqual({ count: 1 });
    expect(await count({ where: { image_id: own!.source_image_id } })).toEqual({ count: 1 });
    expect(await count({ where: { type: 'object', class_name: 'bicycle' } })).toEqual({ count: 1 });
    expect(await count({ where: { review_status: 'pending' } })).toEqual({ count: 3 });
    expect(await count({ where: { detected_until: '2020-01-01' } })).toEqual({ count: 0 });
    expect(await count({ as_of: '2020-01-01' })).toEqual({ count: 0 });
    // An action counts the detections that it would change.
    expect(await count({ action: 'dismiss' })).toEqual({ count: 4 });
    expect(await count({ action: 'move', identity_id: anna })).toEqual({ count: 3 });
    const { body: listed } = await api.client.listJobs({});
    expect(listed!.items).toEqual([]);
  });

  test('gives the same count to a retry with the same key', async () => {
    const count = () =>
      api.client.bulkDetections({
        body: { action: 'dismiss', where: {}, as_of: LATER, dry_run: true },
        headers: { 'Idempotency-Key': 'count' },
      });
    expect((await count()).body).toEqual({ count: 3 });
    await curator.detect('93');
    const again = await count();
    expect(again.body).toEqual({ count: 3 });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });

  test('starts a job that carries out an operation', async () => {
    const { identity: anna } = await curator.enroll('Anna', '0');
    const started = await ofDetections({ action: 'move', identity_id: anna });
    expect(started).toMatchObject({ status: 202, body: { status: 'pending', total: 3 } });
    const { job_id: id } = started.body as { readonly job_id: number };
    const operation_id = Number(started.headers.get('x-operation-id'));
    const { body: job } = await api.client.getJob({ path: { id } });
    expect(job).toMatchObject({ type: 'bulk_detections', unit: 'detections', operation_id });
    // The operation has changed nothing yet.
    const { problem } = await api.client.undoOperation({ path: { id: operation_id }, body: {} });
    expect(problem).toMatchObject({ status: 404 });
    const { body: listed } = await api.client.listOperations({
      query: { kind: 'bulk_detections' },
    });
    expect(listed!.items).toEqual([]);
  });

  test.each<[string, Partial<DetectionsBody>, object]>([
    ['a filter that does not exist', { where: { label: 'Anna' } as never }, { status: 400 }],
    ['no time', { as_of: undefined }, { status: 400 }],
    ['an action that does not exist', { action: 'confirm' as never }, { status: 400 }],
    ['a dismissal of objects', { where: { type: 'object' } }, { status: 400 }],
    ['a move without a target', { action: 'move' }, { status: 400 }],
    ['a move to nobody', { action: 'move', identity_id: 999_999 }, { status: 404 }],
    ['a deletion without a count', { action: 'delete' }, { status: 400 }],
    [
      'a deletion of another number',
      { action: 'delete', confirm_count: 2 },
      { status: 409, code: 'count_changed', count: 3 },
    ],
    [
      'too many exceptions',
      { except: Array.from({ length: 1001 }, (_, i) => i) },
      { status: 400, code: 'invalid_request' },
    ],
  ])('refuses %s, and changes nothing', async (_, body, problem) => {
    expect((await ofDetections(body)).problem).toMatchObject(problem);
    expect((await api.client.listJobs({})).body!.items).toEqual([]);
  });

  test('refuses a purge that deletes nothing', async () => {
    const body = { action: 'dismiss', where: {}, as_of: LATER } as const;
    const query = { purge: true } as const;
    const { problem } = await api.client.bulkDetections({ query, body });
    expect(problem).toMatchObject({ status: 400, code: 'invalid_request' });
  });

  test('refuses to move objects to a person', async () => {
    const { identity: anna } = await curator.enroll('Anna', '0');
    const where = { type: 'object' } as const;
    const { problem } = await ofDetections({ action: 'move', identity_id: anna, where });
    expect(problem).toMatchObject({ status: 422, code: 'type_mismatch' });
  });

  test('with nothing to do ends at once', async () => {
    const { body, headers } = await ofDetections({ where: { class_name: 'dog' } });
    expect(body).toMatchObject({ status: 'done', total: 0 });
    expect(headers.get('x-operation-id')).toBeNull();
  });
});

describe('POST /api/images/bulk', () => {
  test('accepts the filters of the list of images', async () => {
    const { identity: anna } = await curator.enroll('Anna', '0');
    const count = async (body: Partial<ImagesBody>) =>
      (await ofImages({ ...body, dry_run: true })).body;
    expect(await count({})).toEqual({ count: 2 });
    expect(await count({ where: { identity_id: anna } })).toEqual({ count: 1 });
    expect(await count({ where: { identity_id: [anna], type: 'object' } })).toEqual({ count: 0 });
    expect(await count({ where: { no_detections: true } })).toEqual({ count: 0 });
    const { body } = await api.client.listImages({});
    expect(await count({ except: [body!.items[0]!.id] })).toEqual({ count: 1 });
    expect(await count({ as_of: '2020-01-01' })).toEqual({ count: 0 });
  });

  test('starts a job with an item per image', async () => {
    await curator.enroll('Anna', '0');
    const started = await ofImages({ confirm_count: 2 });
    expect(started).toMatchObject({ status: 202, body: { total: 2 } });
    const { job_id: id } = started.body as { readonly job_id: number };
    const { body: items } = await api.client.listJobItems({ path: { id } });
    const { body: images } = await api.client.listImages({ query: { sort: 'oldest' } });
    expect(items!.items.map((item) => item.source_image_id)).toEqual(
      images!.items.map((image) => image.id),
    );
    const reprocess = await ofImages({ action: 'reprocess', type: 'faces', replace: true });
    expect(reprocess).toMatchObject({ status: 202, body: { total: 2 } });
  });

  test.each<[string, Partial<ImagesBody>, object]>([
    ['a filter that does not exist', { where: { label: 'Anna' } as never }, { status: 400 }],
    ['a deletion without a count', {}, { status: 400, code: 'invalid_request' }],
    [
      'a deletion of another number',
      { confirm_count: 2 },
      { status: 409, code: 'count_changed', count: 1 },
    ],
  ])('refuses %s, and changes nothing', async (_, body, problem) => {
    expect((await ofImages(body)).problem).toMatchObject(problem);
    expect((await api.client.listJobs({})).body!.items).toEqual([]);
  });
});
