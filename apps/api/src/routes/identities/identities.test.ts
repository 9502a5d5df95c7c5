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
