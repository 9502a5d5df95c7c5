import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { API_CONTRACTS } from '@sightline/contracts/api-contracts';
import type { Client } from '@sightline/contracts/client';
import { isForEnvironment, type RouteContract } from '@sightline/contracts/define-contract';
import { createMigratedDatabase } from '@sightline/test/support/servers/migrated-database';
import { type ApiServer, startApi } from '../testing/api-server.ts';
import { People } from '../testing/browser.ts';
import { countsOf } from '../testing/counts-of.ts';
import { photo } from '../testing/people.ts';
import { type SampleLibrary, sampleLibrary } from '../testing/sample-library.ts';
import { callWithSample, type Operation } from '../testing/sample-request.ts';

const contracts = Object.entries(API_CONTRACTS) as [Operation, RouteContract][];
const withKey = contracts.filter(([, { right }]) => isForEnvironment(right));
const openToAll = contracts.filter(([, { right }]) => right === 'none');
/** Endpoints whose path has the id of a record. Models are excluded, because they belong to the installation. */
const byId = withKey.filter(
  ([, { path }]) => path.includes('{id}') && !path.startsWith('/api/models/'),
);
const writing = withKey.filter(([, { right }]) => right !== 'read');
const forInstallation = withKey.filter(([, { installation }]) => installation !== undefined);
const reading = withKey.filter(([, { right }]) => right === 'read');

let api: ApiServer;
/** The records of our environment, which no other environment may see or change. */
let ours: SampleLibrary;
let people: People;
/** Our view before the tests, none of which may change it. */
let before: Awaited<ReturnType<typeof ourView>>;

beforeAll(async () => {
  api = await startApi(createMigratedDatabase);
  ours = await sampleLibrary(api);
  people = await People.of(api);
  // The first administrator owns the environments from before.
  await people.newAccount({ isAdmin: true });
  before = await ourView();
});
afterAll(() => api[Symbol.asyncDispose]());

/** The answers of all lists and counts of our environment. */
async function ourView() {
  const stats = countsOf((await api.client.getStats()).body!);
  const { client } = api;
  return {
    stats,
    identities: (await client.listIdentities()).body,
    identity: (await client.getIdentity({ path: { id: ours.identity } })).body,
    embeddings: (await client.listFaceEmbeddings()).body,
    faces: (await client.getImageFaces({ path: { id: ours.source } })).body,
    images: (await client.listImages()).body,
    webhooks: (await client.listWebhooks()).body,
    imageIds: (await client.listImageIds()).body,
    gallery: (await client.listGallery({ path: { id: ours.identity } })).body,
    queue: (await client.listReviewQueue()).body,
    settings: (await client.listSettings()).body,
    jobs: (await client.listJobs()).body,
  };
}

const call = (name: Operation, client: Client) => callWithSample(client, name, ours.samples);

describe('without a key', () => {
  test.each(withKey)('%s is 401, whatever else is wrong', async (_, { method, path }) => {
    for (const headers of [{}, { 'X-API-Key': 'wrong' }, { 'X-API-Key': `${api.key}x` }]) {
      const response = await fetch(api.base + path, { method, headers });
      expect(response.status).toBe(401);
      expect(await response.json()).toMatchObject({ code: 'unauthenticated' });
    }
  });

  test.each(openToAll)('%s answers', async (_, { method, path }) => {
    const response = await fetch(api.base + path, { method, redirect: 'manual' });
    // A browser that comes back from an identity provider goes on to the console.
    expect(response.status).toBe(path === '/api/auth/oidc/callback' ? 303 : 200);
  });
});

describe('with a key that only reads', () => {
  test.each(writing)('%s is 403 and changes nothing', async (name, { right }) => {
    const { problem } = await call(name, await api.clientOf({ right: 'read' }));
    const code = right === 'admin' ? 'admin_required' : 'forbidden';
    expect(problem).toMatchObject({ status: 403, code });
    expect(await ourView()).toEqual(before);
  });

  test.each(reading)('%s answers and changes nothing', async (name) => {
    expect((await call(name, await api.clientOf({ right: 'read' }))).status).toBe(200);
    expect(await ourView()).toEqual(before);
  });
});

describe('with a key of another environment', () => {
  test.each(byId)('%s finds nothing', async (name) => {
    const stranger = await api.clientOf({ environment: 'theirs' });
    const { problem } = await call(name, stranger);
    expect(problem).toMatchObject({ status: 404, code: 'not_found' });
    expect(await ourView()).toEqual(before);
  });

  test('lists are empty, and no face is known', async () => {
    const stranger = await api.clientOf({ environment: 'empty' });
    expect((await stranger.listIdentities()).body!.items).toEqual([]);
    expect((await stranger.listIdentities({ query: { q: 'anna' } })).body!.items).toEqual([]);
    expect((await stranger.listFaceEmbeddings()).body!.items).toEqual([]);
    const ofOurs = { identity_id: ours.identity };
    expect((await stranger.listFaceEmbeddings({ query: ofOurs })).body!.items).toEqual([]);
    expect((await stranger.listImageIds()).body).toEqual({ ids: [] });
    expect((await stranger.listJobs()).body!.items).toEqual([]);
    const byReference = { external_ref: 'ours' };
    expect((await stranger.listImageIds({ query: byReference })).body).toEqual({ ids: [] });
    const detection_ids = [ours.detection];
    expect((await stranger.queryDetections({ body: { detection_ids } })).body).toEqual({
      items: [],
    });
    const empty = { items: [], next_cursor: null, has_more: false };
    expect((await stranger.listReviewQueue()).body).toEqual(empty);
    expect((await stranger.listUnknownFaces()).body).toEqual(empty);
    expect((await stranger.countReviewQueue()).body).toEqual({ count: 0 });
    const all = { query: { threshold: 1 } };
    expect((await stranger.listMismatches(all)).body).toMatchObject({ items: [], count: 0 });
    const { body: stats } = await stranger.getStats();
    expect(stats).toMatchObject({ identities: 0, detections: 0, source_images: 0 });
    expect(stats!.storage_bytes).toBe(0);
    const { body: found } = await stranger.identifyFaces({ body: { file: photo('0') } });
    expect(found!.faces).toMatchObject([{ identity_id: null, similarity: null, suggestions: [] }]);
    const { body: tested } = await stranger.testImage({ body: { file: photo('0') } });
    expect(tested!.faces).toMatchObject([{ identity_id: null, similarity: null }]);
  });

  test.each(writing)('%s changes nothing of ours', async (name) => {
    await call(name, await api.clientOf({ environment: 'theirs' }));
    expect(await ourView()).toEqual(before);
  });

  test('the same image and name have records of their own there', async () => {
    const stranger = await api.clientOf({ environment: 'twin' });
    const { body } = await stranger.enrollFace({ body: { name: 'Anna', file: photo('0') } });
    expect(body!.identity_id).not.toBe(ours.identity);
    const { body: images } = await stranger.listImageIds();
    expect(images!.ids).toHaveLength(1);
    expect(images!.ids).not.toContain(ours.source);
    const { body: identify } = await stranger.identifyFaces({ body: { file: photo('0') } });
    expect(identify!.faces[0]).toMatchObject({ identity_id: body!.identity_id });
    const { problem } = await stranger.labelDetection({
      path: { id: (await stranger.listFaceEmbeddings()).body!.items[0]!.detection_id },
      body: { identity_id: ours.identity },
    });
    expect(problem).toMatchObject({ status: 404, code: 'not_found' });
  });
});

describe('with the session of another account', () => {
  const inEnvironments = withKey.filter(([, { right }]) => right !== 'admin');

  test.each(byId)('%s finds nothing', async (name) => {
    const { problem } = await call(name, await api.clientOfAccount());
    expect(problem).toMatchObject({ status: 404, code: 'not_found' });
    expect(await ourView()).toEqual(before);
  });

  test.each(forInstallation)(
    '%s for the installation shows an administrator nothing of ours',
    async (name, { installation }) => {
      const admin = await people.signedIn({ isAdmin: true });
      const { id } = await api.stores.keys.environment(api.environment);
      const headers = { 'X-Environment-Id': String(id) };
      const { path, method } = API_CONTRACTS[name];
      const target = path.replace('{key}', 'face.match_threshold');
      const body = method === 'GET' ? {} : { body: { value: 0.1 } };
      const refused = await admin.browser.call(target, { method, headers, ...body });
      expect(refused).toMatchObject({ status: 404, body: { code: 'not_found' } });
      if (installation!.in === 'query') {
        const query = `?${installation!.name}=${installation!.startsWith}`;
        const { status, body: shown } = await admin.browser.call(target + query, { headers });
        expect(status).toBe(200);
        const { items } = shown as { items: readonly Record<string, unknown>[] };
        expect(
          items.filter(
            (item) => (item.environment_id ?? null) !== null || item.scope === 'environment',
          ),
        ).toEqual([]);
      }
      expect(await ourView()).toEqual(before);
    },
  );

  test.each(inEnvironments)('%s finds no environment of ours', async (name) => {
    const { id } = await api.stores.keys.environment(api.environment);
    const { problem } = await call(name, await api.clientOfAccount(id));
    expect(problem).toMatchObject({ status: 404, code: 'not_found' });
    expect(await ourView()).toEqual(before);
  });
});
