import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { analyzedObject } from '@sightline/core/analysis/testing/fake-analyzer';
import { createMigratedDatabase } from '@sightline/test/support/servers/migrated-database';
import { type ApiServer, startApi } from '../../testing/api-server.ts';
import { faceAt, oneFace, photo } from '../../testing/people.ts';

let api: ApiServer;

beforeAll(async () => {
  api = await startApi(createMigratedDatabase);
});
beforeEach(async () => {
  await api.reset();
  api.analyzer.facesOf = (text) =>
    text === 'two' ? [faceAt(0), faceAt(90, { bbox: { x: 60, y: 0, w: 9, h: 9 } })] : oneFace(text);
  api.analyzer.objectsOf = () => [];
  api.analyzer.imageOf = () => ({ width: 100, height: 100 });
});
afterAll(() => api[Symbol.asyncDispose]());

async function detect(text: string, externalRef?: string) {
  const { body } = await api.client.detectFaces({
    body: { file: photo(text), external_ref: externalRef },
  });
  return body!.source_image_id;
}

type ListQuery = NonNullable<Parameters<typeof api.client.listImages>[0]>['query'];
type Query = NonNullable<Parameters<typeof api.client.listImageIds>[0]>['query'];

async function ids(query: Query = {}) {
  const { body } = await api.client.listImageIds({ query });
  return body!.ids;
}

describe('GET /api/images', () => {
  const list = async (query: ListQuery = {}) => (await api.client.listImages({ query })).body!;

  test('shows an image and what it has', async () => {
    await detect('empty');
    const id = await detect('two', 'album/1');
    const { items, ...rest } = await list();
    expect(items).toHaveLength(2);
    expect(items[0]).toEqual({
      id,
      external_ref: 'album/1',
      file_path: expect.stringMatching(/^\d+\/sources\/.+\.jpg$/),
      width: 100,
      height: 100,
      uploaded_at: expect.stringMatching(/T.*\.\d{3}Z$/),
      taken_at: null,
      detection_count: 2,
      source_image_url: expect.stringMatching(`^/media/sources/${id}/`),
    });
    expect(rest).toEqual({ next_cursor: null, has_more: false });
  });

  test.each(['newest', 'oldest', 'most_detections', 'fewest_detections', 'taken'] as const)(
    'comes in pages in the order %s',
    async (sort) => {
      api.analyzer.imageOf = (text) => {
        const takenAt = text === '90' || text === 'two' ? { takenAt: new Date('2024-05-06') } : {};
        return { width: 100, height: 100, ...takenAt };
      };
      for (const text of ['0', 'two', 'empty', '90', '180']) await detect(text);
      const pages: number[][] = [];
      let cursor: string | undefined;
      do {
        const { items, next_cursor, has_more } = await list({ sort, limit: 2, cursor });
        pages.push(items.map(({ id }) => id));
        expect(has_more).toBe(next_cursor !== null);
        cursor = next_cursor ?? undefined;
      } while (cursor !== undefined);
      expect(pages.map((page) => page.length)).toEqual([2, 2, 1]);
      expect(pages.flat()).toEqual(await ids({ sort }));
    },
  );

  test('has as many items as its limit says', async () => {
    for (const text of ['0', '90', '180']) await detect(text);
    expect((await list({ limit: 0 })).items).toHaveLength(1);
    expect((await list({ limit: 1000 })).items).toHaveLength(3);
  });

  test('refuses the cursors of other sorts and lists', async () => {
    for (const text of ['0', '90']) await detect(text);
    const { next_cursor: newest } = await list({ limit: 1 });
    const { body: identities } = await api.client.enrollFace({
      body: { name: 'Anna', file: photo('0') },
    });
    expect(identities).not.toBeNull();
    await api.client.enrollFace({ body: { name: 'Berta', file: photo('90') } });
    const { body } = await api.client.listIdentities({ query: { limit: 1 } });
    const forged = [
      ['newest', 1e300, 0, 1],
      ['newest', Date.parse('0000-12-31T23:59:59.999Z'), 0, 1],
      ['newest', 0, 2 ** 40, 1],
      ['newest', 0, 0],
    ];
    const cursors = forged.map((parts) => Buffer.from(JSON.stringify(parts)).toString('base64url'));
    for (const [sort, cursor] of [
      ['oldest', newest],
      ['newest', body!.next_cursor],
      ['newest', 'x'],
      ...cursors.map((forgery) => ['newest', forgery]),
    ]) {
      const { problem } = await api.client.listImages({ query: { sort, cursor } as never });
      expect(problem).toMatchObject({ status: 400, errors: [{ path: 'cursor' }] });
    }
  });
});

describe('GET /api/images/count', () => {
  test('counts what the list shows', async () => {
    const count = async (query: Query = {}) =>
      (await api.client.countImages({ query })).body!.count;
    await detect('empty');
    await detect('two', 'album/1');
    await api.client.enrollFace({ body: { name: 'Anna', file: photo('0') } });
    expect(await count()).toBe(3);
    for (const query of [
      { type: 'face' },
      { no_tagged_faces: true },
      { no_detections: true, no_crops: true },
      { external_ref: 'album/1', type: 'face' },
      { has_manual_detections: true },
      { type: 'face', no_detections: true },
    ] as const) {
      const { body } = await api.client.listImages({ query });
      expect(await count(query)).toBe(body!.items.length);
    }
  });
});

describe('GET /api/images/ids', () => {
  test('lists all, newest first, or in the requested order', async () => {
    const [one, none, two] = [await detect('0'), await detect('empty'), await detect('two')];
    expect(await ids()).toEqual([two, none, one]);
    expect(await ids({ sort: 'oldest' })).toEqual([one, none, two]);
    expect(await ids({ sort: 'most_detections' })).toEqual([two, one, none]);
    expect(await ids({ sort: 'fewest_detections' })).toEqual([none, one, two]);
  });

  test('lists those that show all requested identities', async () => {
    const anna = await api.client.enrollFace({ body: { name: 'Anna', file: photo('0') } });
    const berta = await api.client.enrollFace({ body: { name: 'Berta', file: photo('90') } });
    const both = await detect('two');
    const a = anna.body!.identity_id;
    const b = berta.body!.identity_id;
    expect(await ids({ identity_id: a })).toHaveLength(2);
    expect(await ids({ identity_id: [a, b] })).toEqual([both]);
    expect(await ids({ identity_id: [a, b, a] })).toEqual([both]);
    expect(await ids({ identity_id: [a, 999_999_999] })).toEqual([]);
  });

  test('filters by the detections of images', async () => {
    const none = await detect('empty');
    const stranger = await detect('200');
    await api.client.enrollFace({ body: { name: 'Anna', file: photo('0') } });
    const [known] = await ids();
    expect(await ids({ no_detections: true })).toEqual([none]);
    expect(await ids({ no_tagged_faces: 'true' })).toEqual([stranger, none]);
    expect(await ids({ type: 'face' })).toEqual([known, stranger]);
    expect(await ids({ type: 'object' })).toEqual([]);
    expect(await ids({ has_manual_detections: true })).toEqual([]);
    expect(await ids({ no_detections: false, has_manual_detections: 'false' })).toHaveLength(3);
  });

  test('filters by who is in images and who is not', async () => {
    const anna = await api.client.enrollFace({ body: { name: 'Anna', file: photo('0') } });
    const a = anna.body!.identity_id;
    const [first] = await ids();
    const two = await detect('two');
    expect(await ids({ without_identity_id: a })).toEqual([]);
    expect(await ids({ identity_twice: true })).toEqual([]);
    const stranger = await detect('200');
    expect(await ids({ without_identity_id: a })).toEqual([stranger]);
    expect(await ids({ without_identity_id: 999_999 })).toEqual([stranger, two, first]);
    const faces = await api.client.getImageFaces({ path: { id: two } });
    for (const { detection_id: id } of faces.body!.faces) {
      await api.client.labelDetection({ path: { id }, body: { identity_id: a } });
    }
    expect(await ids({ identity_twice: true })).toEqual([two]);
    expect(await ids({ identity_twice: 'true', sort: 'most_detections' })).toEqual([two]);
    expect(await ids({ review_status: 'confirmed' })).toEqual([two, first]);
    expect(await ids({ review_status: 'pending' })).toEqual([stranger]);
    expect(await ids({ review_status: 'rejected', identity_id: a })).toEqual([]);
    const { body } = await api.client.countImages({ query: { identity_twice: true } });
    expect(body).toEqual({ count: 1 });
  });

  test('filters by the class of objects', async () => {
    api.analyzer.objectsOf = (text) => [analyzedObject({ className: text })];
    const { body } = await api.client.detectObjects({ body: { file: photo('dog') } });
    await api.client.detectObjects({ body: { file: photo('cat') } });
    expect(await ids({ class_name: 'dog' })).toEqual([body!.source_image_id]);
    expect(await ids({ class_name: 'do' })).toEqual([]);
    expect(await ids({ class_name: 'dog', type: 'face' })).toEqual([]);
  });

  test('filters by the time of the photo, and sorts by it', async () => {
    const times: Record<string, Date> = {
      '0': new Date('2024-05-06'),
      '90': new Date('2025-01-01'),
    };
    api.analyzer.imageOf = (text) => ({
      width: 100,
      height: 100,
      ...(times[text] && { takenAt: times[text] }),
    });
    const [late, unknown] = [await detect('90'), await detect('180')];
    const early = await detect('0');
    expect(await ids({ sort: 'taken' })).toEqual([late, early, unknown]);
    expect(await ids({ taken_since: '2024-05-06' })).toEqual([early, late]);
    expect(await ids({ taken_since: '2024-05-06T00:00:01Z' })).toEqual([late]);
    expect(await ids({ taken_until: '2025-01-01' })).toEqual([early]);
    const { body } = await api.client.listImages({ query: { sort: 'taken' } });
    expect(body!.items.map(({ taken_at }) => taken_at)).toEqual([
      '2025-01-01T00:00:00.000Z',
      '2024-05-06T00:00:00.000Z',
      null,
    ]);
  });

  test('filters by reference and time', async () => {
    const first = await detect('0', 'album/1');
    const second = await detect('90', 'album/2');
    expect(await ids({ external_ref: 'album/1' })).toEqual([first]);
    expect(await ids({ external_ref: 'album' })).toEqual([]);
    const { body } = await api.client.getImageFaces({ path: { id: second } });
    const at = body!.uploaded_at;
    expect(await ids({ since: at })).toEqual([second]);
    expect(await ids({ until: at })).toEqual([first]);
    expect(await ids({ since: '2000-01-01', until: '2001-01-01' })).toEqual([]);
  });

  test.each([
    { identity_id: 'anna' },
    { type: 'cat' },
    { since: 'yesterday' },
    { until: '2026-02-30' },
    { external_ref: ['a', 'b'] },
    { no_crops: 'perhaps' },
    { class_name: ['a', 'b'] },
    { without_identity_id: 'anna' },
    { identity_twice: 'thrice' },
    { review_status: 'new' },
    { taken_since: 'yesterday' },
    { taken_until: '2026-02-30' },
    { sort: 'best' },
  ])('refuses %j, as the list and the count do', async (query) => {
    const { listImages, countImages, listImageIds } = api.client;
    const asked =
      'sort' in query ? [listImages, listImageIds] : [listImages, countImages, listImageIds];
    for (const ask of asked) {
      const { problem } = await ask({ query: query as never });
      expect(problem).toMatchObject({ status: 400, code: 'invalid_request' });
      expect(problem!.errors![0]!.path.split('.')[0]).toBe(Object.keys(query)[0]);
    }
  });
});

test('a filter takes many identities, none of which gets lost', async () => {
  const id = await detect('0');
  const query = (length: number) => ({
    query: { identity_id: Array.from({ length }, (_, i) => i), type: 'face' as const },
  });
  expect((await api.client.listImageIds(query(900))).body).toEqual({ ids: [] });
  const { problem } = await api.client.listImageIds(query(1001));
  expect(problem).toMatchObject({ status: 400, errors: [{ path: 'identity_id' }] });
  expect(await ids({ type: 'face' })).toEqual([id]);
});

describe('GET /api/images/{id}/faces', () => {
  test('shows an image and its faces', async () => {
    await api.client.enrollFace({ body: { name: 'Anna', file: photo('0') } });
    const id = await detect('two', 'album/1');
    const { body } = await api.client.getImageFaces({ path: { id } });
    expect(body).toEqual({
      source_image_id: id,
      external_ref: 'album/1',
      width: 100,
      height: 100,
      uploaded_at: expect.stringMatching(/T.*\.\d{3}Z$/),
      source_image_url: expect.stringMatching(`^/media/sources/${id}/`),
      scene_tags: [],
      faces: [expect.objectContaining({ label: 'Anna' }), expect.anything()],
    });
    const [face] = body!.faces;
    expect(face).toEqual({
      detection_id: expect.any(Number),
      bbox: { x: 10, y: 20, w: 30, h: 40 },
      confidence: 0.9,
      identity_id: expect.any(Number),
      label: 'Anna',
      crop_url: expect.stringMatching(`^/media/crops/${face!.detection_id}/`),
      review_status: 'confirmed',
      embedding_source: 'aligned',
      age: 30,
      gender: null,
      pose: [1, 2, 3],
      turned: 0,
    });
  });

  test('leaves objects out, and answers 404 for an unknown id', async () => {
    api.analyzer.objectsOf = () => [
      { ...faceAt(0), classId: 0, className: 'person', bbox: { x: 0, y: 0, w: 9, h: 9 } },
    ];
    const { body: run } = await api.client.detectAll({ body: { file: photo('0') } });
    const { body } = await api.client.getImageFaces({ path: { id: run!.source_image_id } });
    expect(body!.faces.map(({ detection_id }) => detection_id)).toEqual([
      run!.faces[0]!.detection_id,
    ]);
    const { problem } = await api.client.getImageFaces({ path: { id: 999_999_999 } });
    expect(problem).toMatchObject({ status: 404, code: 'not_found' });
  });
});

const objectAt = (x: number, className: string) => ({
  ...faceAt(0),
  classId: 0,
  className,
  bbox: { x, y: 0, w: 9, h: 9 },
});

describe('GET /api/images/{id}', () => {
  test('shows an image with its faces and objects', async () => {
    api.analyzer.objectsOf = () => [objectAt(0, 'person'), objectAt(50, 'dog')];
    const { body: run } = await api.client.detectAll({ body: { file: photo('two') } });
    const id = run!.source_image_id;
    const { body } = await api.client.getImage({ path: { id } });
    const { items } = (await api.client.listImages()).body!;
    const [face, ...otherFaces] = body!.faces;
    expect({ ...body, faces: [], objects: [] }).toEqual({ ...items[0], faces: [], objects: [] });
    expect(face).toEqual((await api.client.getDetection({ path: { id: face!.id } })).body);
    expect(otherFaces).toHaveLength(1);
    expect(body!.objects.map(({ class_name }) => class_name)).toEqual(['person', 'dog']);
  });

  test('answers 404 for an unknown id, and leaves the other paths alone', async () => {
    const { problem } = await api.client.getImage({ path: { id: 999_999_999 } });
    expect(problem).toMatchObject({ status: 404, code: 'not_found' });
    expect((await api.client.countImages()).body).toEqual({ count: 0 });
    expect(await ids()).toEqual([]);
  });
});

describe('GET /api/images/{id}/detections', () => {
  test('lists faces and objects by id, in pages and by type', async () => {
    api.analyzer.objectsOf = () => [objectAt(0, 'person')];
    const { body: run } = await api.client.detectAll({ body: { file: photo('two') } });
    const path = { id: run!.source_image_id };
    const list = async (query: { type?: 'face' | 'object'; limit?: number; cursor?: string }) =>
      (await api.client.listImageDetections({ path, query })).body!;
    const all = await list({});
    const image = (await api.client.getImage({ path })).body!;
    expect(all.items).toEqual([...image.faces, ...image.objects].toSorted((a, b) => a.id - b.id));
    expect((await list({ type: 'object' })).items).toEqual(image.objects);
    const first = await list({ limit: 2 });
    expect(first).toMatchObject({ items: all.items.slice(0, 2), has_more: true });
    const rest = await list({ limit: 2, cursor: first.next_cursor! });
    expect(rest).toEqual({ items: all.items.slice(2), next_cursor: null, has_more: false });
    const other = { id: await detect('0') };
    const query = { cursor: first.next_cursor! };
    const { problem } = await api.client.listImageDetections({ path: other, query });
    expect(problem).toMatchObject({ status: 400, code: 'invalid_request' });
  });

  test('answers 404 for an unknown id', async () => {
    const { problem } = await api.client.listImageDetections({ path: { id: 999_999_999 } });
    expect(problem).toMatchObject({ status: 404, code: 'not_found' });
  });
});

test('GET /api/detections/classes counts the objects of each class', async () => {
  const classes = async (query = {}) => (await api.client.listObjectClasses({ query })).body!;
  expect((await classes()).items).toEqual([]);
  api.analyzer.objectsOf = (text) =>
    text === '0' ? [objectAt(0, 'dog'), objectAt(50, 'dog')] : [objectAt(0, 'cat')];
  const { body: dogs } = await api.client.detectObjects({ body: { file: photo('0') } });
  await api.client.detectObjects({ body: { file: photo('90') } });
  const [one, two] = dogs!.objects;
  const dog = { class_name: 'dog', detection_count: 2, identity_id: one!.identity_id };
  expect((await classes()).items).toEqual([
    expect.objectContaining({ class_name: 'cat', detection_count: 1 }),
    { ...dog, thumbnail_url: two!.crop_url },
  ]);
  const first = await classes({ limit: 1 });
  const second = await classes({ limit: 1, cursor: first.next_cursor! });
  expect(second).toMatchObject({ items: [dog], next_cursor: null, has_more: false });
  await api.client.labelDetection({ path: { id: two!.detection_id }, body: { label: 'wolf' } });
  expect((await classes()).items[1]).toEqual({ ...dog, thumbnail_url: one!.crop_url });
  await api.client.deleteImage({ path: { id: dogs!.source_image_id } });
  expect((await classes()).items).toMatchObject([{ class_name: 'cat' }]);
});

describe('DELETE /api/images/{id}', () => {
  test('deletes everything that was detected in it', async () => {
    const id = await detect('two');
    const { body } = await api.client.deleteImage({ path: { id } });
    expect(body).toEqual({ source_image_id: id, detections_deleted: 2, crops_removed: 2 });
    expect(await ids()).toEqual([]);
    const { problem } = await api.client.deleteImage({ path: { id } });
    expect(problem).toMatchObject({ status: 404, code: 'not_found' });
  });

  test('is a method of its path, beside GET', async () => {
    const response = await api.fetch('/api/images/1', { method: 'PATCH' });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('DELETE, GET, HEAD, OPTIONS');
  });
});
