import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createMigratedDatabase } from '@sightline/test/support/servers/migrated-database';
import { type ApiServer, startApi } from '../../testing/api-server.ts';
import { oneFace, photo } from '../../testing/people.ts';

let api: ApiServer;

beforeAll(async () => {
  api = await startApi(createMigratedDatabase);
});
beforeEach(async () => {
  await api.reset();
  api.analyzer.facesOf = oneFace;
});
afterAll(() => api[Symbol.asyncDispose]());

async function create(label: string, type: 'face' | 'object' = 'face', externalRef?: string) {
  const { body } = await api.client.createIdentity({
    body: { label, type, external_ref: externalRef },
  });
  return body!.id;
}

async function labels(query: Parameters<typeof api.client.listIdentities>[0] = {}) {
  const { body } = await api.client.listIdentities(query);
  return body!.items.map(({ label }) => label);
}

describe('POST /api/identities', () => {
  test('creates an identity', async () => {
    const answer = await api.client.createIdentity({
      body: { label: ' Änna ', type: 'face', external_ref: 'hr/1' },
    });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      id: expect.any(Number),
      type: 'face',
      label: 'Änna',
      external_ref: 'hr/1',
    });
  });

  test.each(['\u200bZed\u200b', '\ufeffZed', 'Zed\u2060'])(
    'keeps the characters without width of %j',
    async (label) => {
      const { body } = await api.client.createIdentity({ body: { label, type: 'face' } });
      expect(body!.label).toBe(label);
      expect(await labels({ query: { q: ` ${label} ` } })).toEqual([label]);
    },
  );

  test('once for each type', async () => {
    const id = await create('bus');
    await create('bus', 'object');
    await create('Bus');
    const { problem } = await api.client.createIdentity({ body: { label: 'bus', type: 'face' } });
    expect(problem).toMatchObject({ status: 409, code: 'identity_exists', identity_id: id });
  });

  test.each([
    [{ type: 'face' }, 'label'],
    [{ label: 'a' }, 'type'],
    [{ label: 'a', type: 'cat' }, 'type'],
    [{ label: 7, type: 'face' }, 'label'],
    [{ label: 'a', type: 'face', external_ref: 'x'.repeat(1001) }, 'external_ref'],
  ])('refuses %j', async (body, path) => {
    const { problem } = await api.client.createIdentity({ body: body as never });
    expect(problem).toMatchObject({ status: 400, errors: [{ path }] });
  });

  test.each(['', '  ', 'x'.repeat(201), 'a\nb'])('refuses the label %j', async (label) => {
    const { problem } = await api.client.createIdentity({ body: { label, type: 'face' } });
    expect(problem).toMatchObject({ status: 400, code: 'invalid_request' });
  });
});

describe('GET /api/identities', () => {
  test('lists all in the order of their labels, as bytes', async () => {
    for (const label of ['b', 'Ä', 'a', 'B', '1']) await create(label);
    await create('a', 'object');
    const { body } = await api.client.listIdentities();
    expect(body!.items.map(({ label, type }) => `${label} ${type}`)).toEqual([
      '1 face',
      'B face',
      'a face',
      'a object',
      'b face',
      'Ä face',
    ]);
    expect(body).toMatchObject({ next_cursor: null, has_more: false });
    expect(body!.items[0]).toEqual({
      id: expect.any(Number),
      type: 'face',
      label: '1',
      external_ref: null,
      cover_detection_id: null,
      created_at: expect.stringMatching(/T.*\.\d{3}Z$/),
    });
  });

  test('filters by type, name and reference', async () => {
    await create('Anna Berg');
    await create('Johanna', 'face', 'hr/2');
    await create('Bus', 'object');
    expect(await labels({ query: { type: 'object' } })).toEqual(['Bus']);
    expect(await labels({ query: { q: 'anna' } })).toEqual(['Anna Berg', 'Johanna']);
    expect(await labels({ query: { external_ref: 'hr/2' } })).toEqual(['Johanna']);
    expect(await labels({ query: { external_ref: 'hr/2', type: 'object' } })).toEqual([]);
    expect(await labels({ query: { external_ref: 'hr' } })).toEqual([]);
    expect(await labels({ query: { q: ' ', external_ref: '' } })).toHaveLength(3);
  });

  test('takes the texts that a search takes', async () => {
    const label = '😀'.repeat(200);
    await create(label);
    expect(await labels({ query: { q: ` ${label} ` } })).toEqual([label]);
    const { problem } = await api.client.listIdentities({ query: { q: 'x'.repeat(201) } });
    expect(problem).toMatchObject({ status: 400, code: 'invalid_request' });
  });

  test('pages by cursor, with any limit', async () => {
    const all = ['a', 'b', 'c', 'd', 'e'];
    for (const label of all) await create(label);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const { body } = await api.client.listIdentities({ query: { limit: 2, cursor } });
      seen.push(...body!.items.map(({ label }) => label));
      expect(body!.has_more).toBe(body!.next_cursor !== null);
      cursor = body!.next_cursor ?? undefined;
    } while (cursor !== undefined);
    expect(seen).toEqual(all);
    expect(await labels({ query: { limit: 0 } })).toEqual(['a']);
    expect(await labels({ query: { limit: 1e6 } })).toEqual(all);
  });

  test('continues after a cursor without a limit', async () => {
    for (const label of ['a', 'b', 'c']) await create(label);
    const { body } = await api.client.listIdentities({ query: { limit: 1 } });
    expect(await labels({ query: { cursor: body!.next_cursor! } })).toEqual(['b', 'c']);
  });

  test.each([{ limit: 'many' }, { cursor: 'nonsense' }, { type: 'cat' }, { q: 'a\0' }])(
    'refuses %j',
    async (query) => {
      const { problem } = await api.client.listIdentities({ query: query as never });
      expect(problem).toMatchObject({ status: 400, errors: [{ path: Object.keys(query)[0] }] });
    },
  );
});

describe('GET /api/identities/summary', () => {
  async function enroll(name: string, text: string) {
    const { body } = await api.client.enrollFace({ body: { name, file: photo(text) } });
    return body!.identity_id;
  }

  test('lists identities with what they have when shown alone, and counts all', async () => {
    const [anna, bea] = [await enroll('Anna', '0'), await enroll('Bea', '90')];
    await create('bus', 'object');
    const { body } = await api.client.listIdentitySummaries({ query: { limit: 2 } });
    const alone = await Promise.all(
      [anna, bea].map(async (id) => (await api.client.getIdentity({ path: { id } })).body),
    );
    expect(body).toEqual({
      items: alone,
      next_cursor: expect.any(String),
      has_more: true,
      total: 3,
    });
    expect(body!.items[0]).toMatchObject({
      detection_count: 1,
      embedding_count: 1,
      pending_review_count: 0,
      thumbnail_url: expect.stringContaining('/media/crops/'),
    });
    const cursor = body!.next_cursor!;
    const rest = await api.client.listIdentitySummaries({ query: { cursor } });
    expect(rest.body).toMatchObject({
      items: [{ label: 'bus', detection_count: 0, thumbnail_url: null }],
      next_cursor: null,
      has_more: false,
      total: 3,
    });
  });

  test('counts those that the filter lets through', async () => {
    await create('Anna Berg');
    await create('Johanna', 'face', 'hr/2');
    await create('Hannah', 'object', 'hr/2');
    const totals = async (query: {
      type?: 'face' | 'object';
      q?: string;
      external_ref?: string;
    }) => {
      const { body } = await api.client.listIdentitySummaries({ query: { ...query, limit: 1 } });
      const whole = await api.client.listIdentitySummaries({ query });
      expect(whole.body!.items).toHaveLength(whole.body!.total);
      expect(body!.total).toBe(whole.body!.total);
      return body!.total;
    };
    expect(await totals({})).toBe(3);
    expect(await totals({ type: 'face' })).toBe(2);
    expect(await totals({ type: 'object' })).toBe(1);
    expect(await totals({ q: 'anna' })).toBe(3);
    expect(await totals({ q: 'anna', type: 'object' })).toBe(1);
    expect(await totals({ external_ref: 'hr/2' })).toBe(2);
    expect(await totals({ external_ref: 'unknown' })).toBe(0);
  });

  type Query = NonNullable<Parameters<typeof api.client.listIdentitySummaries>[0]>['query'];

  const names = async (query: Query) => {
    const { body } = await api.client.listIdentitySummaries({ query });
    return body!.items.map(({ label }) => label);
  };

  test('is sorted and filtered by the detections, in pages and as a whole', async () => {
    await create('Dora');
    await enroll('Cleo', '180');
    const anna = await enroll('Anna', '0');
    await enroll('Anna', '1');
    await enroll('Bea', '90');
    await api.client.detectFaces({ body: { file: photo('182') } });
    await api.client.detectFaces({ body: { file: photo('140') } });
    const expected = {
      detections: ['Cleo', 'Anna', 'Bea', 'Dora'],
      newest: ['Bea', 'Anna', 'Cleo', 'Dora'],
      last_seen: ['Cleo', 'Bea', 'Anna', 'Dora'],
      label: ['Anna', 'Bea', 'Cleo', 'Dora'],
    };
    for (const [sort, order] of Object.entries(expected)) {
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const query = { sort: sort as 'newest', limit: 1, cursor };
        const { body } = await api.client.listIdentitySummaries({ query });
        seen.push(...body!.items.map(({ label }) => label));
        expect(body!.total).toBe(4);
        cursor = body!.next_cursor ?? undefined;
      } while (cursor !== undefined);
      expect(seen).toEqual(order);
      expect(await names({ sort: sort as 'newest' })).toEqual(order);
    }
    expect(await names({ min_detections: 2 })).toEqual(['Anna', 'Cleo']);
    expect(await names({ min_detections: '0' })).toHaveLength(4);
    expect(await names({ has_pending: true, sort: 'last_seen' })).toEqual(['Cleo']);
    expect(await names({ q: 'a', min_detections: 1, sort: 'newest' })).toEqual(['Bea', 'Anna']);
    const { body: details } = await api.client.getIdentity({ path: { id: anna } });
    const { body: gallery } = await api.client.listGallery({ path: { id: anna } });
    expect(details!.last_seen_at).toBe(gallery!.items[0]!.detected_at);
  });

  test.each([{ sort: 'best' }, { min_detections: '-1' }, { has_pending: 'perhaps' }])(
    'refuses %j',
    async (query) => {
      const { problem } = await api.client.listIdentitySummaries({ query: query as never });
      expect(problem).toMatchObject({ status: 400, errors: [{ path: Object.keys(query)[0] }] });
    },
  );

  test('refuses the cursor of another order', async () => {
    await create('Anna');
    await create('Bea');
    const { body } = await api.client.listIdentitySummaries({
      query: { sort: 'newest', limit: 1 },
    });
    for (const sort of ['label', 'detections', 'last_seen'] as const) {
      const query = { sort, cursor: body!.next_cursor! };
      const { problem } = await api.client.listIdentitySummaries({ query });
      expect(problem).toMatchObject({ status: 400, errors: [{ path: 'cursor' }] });
    }
  });
});

describe('PUT /api/identities/{id}', () => {
  const rename = (id: number, label: string) =>
    api.client.renameIdentity({ path: { id }, body: { label } });

  test('renames an identity', async () => {
    const id = await create('Ann');
    expect((await rename(id, ' Anne ')).body).toEqual({ id, label: 'Anne' });
    expect((await rename(id, 'Anne')).body).toEqual({ id, label: 'Anne' });
    expect(await labels()).toEqual(['Anne']);
    await create('Ann');
  });

  test('is refused for a label that another one has', async () => {
    const [ann, bob] = [await create('Ann'), await create('Bob')];
    await create('Bus', 'object');
    expect((await rename(bob, 'Ann')).problem).toMatchObject({
      status: 409,
      code: 'identity_exists',
      identity_id: ann,
    });
    expect((await rename(bob, 'Bus')).status).toBe(200);
    expect((await rename(999_999_999, 'Ann')).problem).toMatchObject({ status: 404 });
    for (const label of ['', ' ', 'x'.repeat(201), 'a\nb']) {
      expect((await rename(ann, label)).problem).toMatchObject({ code: 'invalid_request' });
    }
    expect(await labels()).toEqual(['Ann', 'Bus', 'Bus']);
  });
});

describe('PUT /api/identities/{id}/external_ref', () => {
  const set = (id: number, externalRef: unknown) =>
    api.client.setIdentityRef({ path: { id }, body: { external_ref: externalRef as string } });

  test('replaces and clears the reference', async () => {
    const id = await create('Ann', 'face', 'hr/1');
    expect((await set(id, 'hr/2')).body).toEqual({ id, external_ref: 'hr/2' });
    expect(await labels({ query: { external_ref: 'hr/2' } })).toEqual(['Ann']);
    expect((await set(id, null)).body).toEqual({ id, external_ref: null });
    expect((await set(id, '')).body).toEqual({ id, external_ref: null });
    expect((await set(999_999_999, 'x')).problem).toMatchObject({ status: 404 });
    for (const wrong of [undefined, 7, 'x'.repeat(1001), 'a\0']) {
      const { problem } = await set(id, wrong);
      expect(problem).toMatchObject({ status: 400, errors: [{ path: 'external_ref' }] });
    }
  });
});

describe('PUT /api/identities/{id}/cover', () => {
  const set = (id: number, detectionId: unknown) =>
    api.client.setIdentityCover({ path: { id }, body: { detection_id: detectionId as number } });

  test('shows the identity by one of its detections', async () => {
    const { body } = await api.client.enrollFace({ body: { name: 'Anna', file: photo('0') } });
    await api.client.enrollFace({ body: { name: 'Anna', file: photo('1') } });
    await api.client.enrollFace({ body: { name: 'Bea', file: photo('90') } });
    const { body: references } = await api.client.listFaceEmbeddings();
    const [ofBea, , first] = references!.items.map((reference) => reference.detection_id);
    const id = body!.identity_id;
    const shown = async () => (await api.client.getIdentity({ path: { id } })).body!;
    expect((await set(id, first)).body).toEqual({ identity_id: id, cover_detection_id: first });
    expect(await shown()).toMatchObject({
      cover_detection_id: first,
      thumbnail_url: expect.stringContaining(`/media/crops/${first}/`),
    });
    expect((await set(id, ofBea)).problem).toMatchObject({ status: 422, code: 'not_of_identity' });
    expect((await set(id, 999_999_999)).problem).toMatchObject({ status: 404, code: 'not_found' });
    expect((await set(999_999_999, first)).problem).toMatchObject({ status: 404 });
    for (const wrong of [undefined, 'one', 1.5]) {
      expect((await set(id, wrong)).problem).toMatchObject({ code: 'invalid_request' });
    }
    expect(await shown()).toMatchObject({ cover_detection_id: first });
    expect((await set(id, null)).body).toEqual({ identity_id: id, cover_detection_id: null });
    expect(await shown()).toMatchObject({ cover_detection_id: null });
  });
});

describe('POST /api/identities/{id}/merge', () => {
  const merge = (id: number, into: unknown) =>
    api.client.mergeIdentity({ path: { id }, body: { into: into as number } });

  test('moves everything to the other identity', async () => {
    const { body: ann } = await api.client.enrollFace({ body: { name: 'Ann', file: photo('0') } });
    const { body: ada } = await api.client.enrollFace({ body: { name: 'Ada', file: photo('90') } });
    const { identity_id: id } = ann!;
    const { identity_id: into } = ada!;
    const answer = await merge(id, into);
    expect(answer).toMatchObject({ status: 200, body: { merged_into: into, deleted: id } });
    expect(await labels()).toEqual(['Ada']);
    expect((await api.client.getIdentity({ path: { id } })).status).toBe(404);
    expect((await api.client.getIdentity({ path: { id: into } })).body).toMatchObject({
      detection_count: 2,
      embedding_count: 2,
    });
    const { body: found } = await api.client.identifyFaces({ body: { file: photo('0') } });
    expect(found!.faces[0]).toMatchObject({ identity_id: into, label: 'Ada' });
    expect(found!.faces[0]!.suggestions).toHaveLength(1);
    expect((await merge(id, into)).problem).toMatchObject({ status: 404, code: 'not_found' });
  });

  test('is refused for itself, another type, and an unknown identity', async () => {
    const [ann, bus] = [await create('Ann'), await create('bus', 'object')];
    expect((await merge(ann, ann)).problem).toMatchObject({ status: 400, code: 'invalid_request' });
    expect((await merge(ann, bus)).problem).toMatchObject({ status: 422, code: 'type_mismatch' });
    expect((await merge(ann, 999_999_999)).problem).toMatchObject({ status: 404 });
    expect((await merge(999_999_999, ann)).problem).toMatchObject({ status: 404 });
    for (const wrong of [undefined, null, 'Ann', 1.5]) {
      expect((await merge(ann, wrong)).problem).toMatchObject({ code: 'invalid_request' });
    }
    expect(await labels()).toEqual(['Ann', 'bus']);
  });
});

describe('deleting identities', () => {
  test('deletes their detections, and images that have none left', async () => {
    const { body } = await api.client.enrollFace({ body: { name: 'Anna', file: photo('0') } });
    const { identity_id: id, embedding_id: embedding } = body!;
    const answer = await api.client.deleteIdentity({ path: { id } });
    expect(answer).toMatchObject({ status: 204, body: undefined });
    const again = await api.client.deleteIdentity({ path: { id } });
    expect(again.problem).toMatchObject({ status: 404, code: 'not_found' });
    expect((await api.client.getIdentity({ path: { id } })).status).toBe(404);
    expect((await api.client.getFaceEmbedding({ path: { id: embedding } })).status).toBe(404);
    expect((await api.client.listImageIds()).body).toEqual({ ids: [] });
  });

  test('counts those that existed, each once', async () => {
    const [a, b] = [await create('a'), await create('b')];
    await create('c');
    const ids = { identity_ids: [a, b, a, 999_999_999] };
    const { body } = await api.client.deleteIdentities({ body: ids });
    expect(body).toEqual({ deleted: 2 });
    expect(await labels()).toEqual(['c']);
  });

  test.each([{}, { identity_ids: 'all' }, { identity_ids: [1.5] }, { identity_ids: ['1'] }])(
    'is not done for %j',
    async (body) => {
      await create('a');
      const { problem } = await api.client.deleteIdentities({ body: body as never });
      expect(problem).toMatchObject({ status: 400, code: 'invalid_request' });
      expect(await labels()).toEqual(['a']);
    },
  );

  test('needs ids', async () => {
    const response = await api.fetch('/api/identities', { method: 'DELETE' });
    expect(response.status).toBe(400);
  });
});
