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

async function create(label: string, type: 'face' | 'object' = 'face') {
  const { body } = await api.client.createIdentity({ body: { label, type } });
  return body!.id;
}

type Query = Parameters<typeof api.client.searchIdentities>[0];

async function found(query: NonNullable<Query>['query']) {
  const { body } = await api.client.searchIdentities({ query });
  return body!.items;
}

const labels = async (q: string) => (await found({ q })).map(({ label }) => label);

describe('GET /api/search', () => {
  test('shows the found identities with thumbnails', async () => {
    const { body: enrolled } = await api.client.enrollFace({
      body: { name: 'Zoë Ärzte', file: photo('0') },
    });
    const { body: face } = await api.client.listFaceEmbeddings();
    const detection = await api.client.getDetection({
      path: { id: face!.items[0]!.detection_id },
    });
    expect(await found({ q: ' zoe arzte ' })).toEqual([
      {
        identity_id: enrolled!.identity_id,
        type: 'face',
        label: 'Zoë Ärzte',
        similarity: 1,
        thumbnail_url: detection.body!.crop_url,
      },
    ]);
    await create('Zoe');
    expect((await found({ q: 'ZOE' })).map(({ thumbnail_url }) => thumbnail_url)).toEqual([
      null,
      detection.body!.crop_url,
    ]);
  });

  test('answers the best first, equal ones by label, then by type', async () => {
    for (const label of ['Ann', 'Anna', 'Joanne', 'Mary Ann', 'Ann-Sofie Berg', 'Bert']) {
      await create(label);
    }
    await create('Ann', 'object');
    const items = await found({ q: 'ann' });
    expect(items.map(({ label, type }) => `${label} ${type}`)).toEqual([
      'Ann face',
      'Ann object',
      'Anna face',
      'Mary Ann face',
      'Ann-Sofie Berg face',
      'Joanne face',
    ]);
    const similarities = items.map(({ similarity }) => similarity);
    expect(similarities).toEqual(similarities.toSorted((a, b) => b - a));
    expect(similarities[0]).toBe(1);
  });

  test('keeps to a type and to a limit, which is clamped', async () => {
    const ids = [await create('Ann 1'), await create('Ann 2')];
    const object = await create('Ann 3', 'object');
    const idsOf = async (query: NonNullable<Query>['query']) =>
      (await found(query)).map(({ identity_id }) => identity_id);
    expect(await idsOf({ q: 'ann', type: 'face' })).toEqual(ids);
    expect(await idsOf({ q: 'ann', type: 'object' })).toEqual([object]);
    expect(await idsOf({ q: 'ann', limit: 2 })).toEqual(ids);
    expect(await idsOf({ q: 'ann', limit: 0 })).toEqual([ids[0]]);
    expect(await idsOf({ q: 'ann', limit: 1_000_000 })).toHaveLength(3);
  });

  test('takes every character for itself', async () => {
    for (const label of ['100%_sure', 'a\\b', '100 sure', "O'Neil", '(x)']) await create(label);
    expect(await labels('%')).toEqual(['100%_sure']);
    expect(await labels('%_')).toEqual(['100%_sure']);
    expect(await labels('\\')).toEqual(['a\\b']);
    expect(await labels("'N")).toEqual(["O'Neil"]);
    expect(await labels('(x)')).toEqual(['(x)']);
    expect(await labels('%%')).toEqual([]);
  });

  test('is over names of its own environment', async () => {
    await create('Ann');
    const stranger = await api.clientOf({ environment: 'theirs' });
    expect((await stranger.searchIdentities({ query: { q: 'ann' } })).body!.items).toEqual([]);
  });

  test('does not find a deleted identity', async () => {
    const id = await create('Ann');
    await api.client.deleteIdentity({ path: { id } });
    expect(await labels('ann')).toEqual([]);
  });

  test.each([
    ['no text', ''],
    ['an empty text', '?q='],
    ['nothing but white space', '?q=%20%E3%80%80'],
    ['201 characters', `?q=${'x'.repeat(201)}`],
    ['a null character', '?q=a%00'],
    ['two texts', '?q=a&q=b'],
    ['an unknown type', '?q=a&type=dog'],
    ['a limit that is no number', '?q=a&limit=many'],
  ])('refuses %s', async (_, query) => {
    const response = await api.fetch(`/api/search${query}`);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: 'invalid_request' });
  });

  test('takes 200 characters, of any plane', async () => {
    const label = '😀'.repeat(200);
    await create(label);
    expect(await labels(` ${label} `)).toEqual([label]);
  });
});
