import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sampleFiles, zipOf } from '@sightline/archive-zip/testing/sample-archive';
import { API_CONTRACTS } from '@sightline/contracts/api-contracts';
import type { Client } from '@sightline/contracts/client';
import type { RouteContract } from '@sightline/contracts/define-contract';
import { createMigratedDatabase } from '@sightline/test/support/servers/migrated-database';
import { createJob, imagesJob } from '@sightline/test/support/fixtures/seed-jobs';
import { type ApiServer, startApi } from '../testing/api-server.ts';
import { countsOf } from '../testing/counts-of.ts';
import { oneFace, photo } from '../testing/people.ts';
import { callWithSample, type Operation, type Samples } from '../testing/sample-request.ts';

const contracts = Object.entries(API_CONTRACTS) as [Operation, RouteContract][];
const withKey = contracts.filter(([, { right }]) => right !== 'none');
const openToAll = contracts.filter(([, { right }]) => right === 'none');
/** Models are of the installation. */
const byId = withKey.filter(
  ([, { path }]) => path.includes('{id}') && !path.startsWith('/api/models/'),
);
const writing = withKey.filter(([, { right }]) => right !== 'read');
const reading = withKey.filter(([, { right }]) => right === 'read');

let api: ApiServer;
/** What is stored in our environment, and has to stay ours. */
let ours: {
  readonly identity: number;
  readonly other: number;
  readonly detection: number;
  readonly source: number;
};
/** Valid requests to every endpoint are about these records, which are ours. */
let samples: Samples;

beforeAll(async () => {
  api = await startApi(createMigratedDatabase);
  api.analyzer.facesOf = oneFace;
  const { body: enrolled } = await api.client.enrollFace({
    body: { name: 'Anna', file: photo('0'), external_ref: 'ours' },
  });
  const { body: run } = await api.client.detectAll({
    body: { file: photo('0'), external_ref: 'ours' },
  });
  const { body: other } = await api.client.createIdentity({
    body: { label: 'Anna too', type: 'face' },
  });
  const [face] = run!.faces;
  const { id: environmentId } = await api.stores.keys.environment(api.environment);
  const job = await createJob(api.stores, { scope: { environmentId } }, imagesJob(0));
  const { body: webhook } = await api.client.registerWebhook({
    body: { url: 'https://hooks.example/ours' },
  });
  const [model] = await api.stores.models.active();
  const hashOf = (url: string) => /[0-9a-f]{64}/.exec(url)![0];
  ours = {
    identity: enrolled!.identity_id,
    other: other!.id,
    detection: face!.detection_id,
    source: run!.source_image_id,
  };
  samples = {
    records: {
      identities: { id: ours.identity },
      detections: { id: ours.detection },
      review: { id: ours.detection },
      mismatches: { id: ours.detection },
      images: { id: ours.source },
      'face-embeddings': { id: enrolled!.embedding_id },
      settings: { key: 'face.match_threshold' },
      sources: { id: ours.source, hash: hashOf(run!.source_image_url) },
      jobs: { id: job.id },
      webhooks: { id: webhook!.id },
      models: { id: model!.id },
      crops: { id: ours.detection, hash: hashOf(face!.crop_url) },
    },
    members: {
      identity_ids: [ours.identity],
      identity_id: ours.identity,
      detection_id: ours.detection,
      detection_ids: [ours.detection],
      into: ours.other,
      items: [{ detection_id: ours.detection, identity_id: ours.identity }],
      source_image_ids: [ours.source],
      url: 'https://hooks.example/',
      bbox: { x: 1, y: 1, w: 20, h: 20 },
    },
    file: photo('0'),
    files: { importArchive: await emptyArchive() },
  };
});
afterAll(() => api[Symbol.asyncDispose]());

async function emptyArchive(): Promise<File> {
  return new File([new Uint8Array(await zipOf(sampleFiles({})))], 'library.zip');
}

/** Everything that our environment shows. */
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

const call = (name: Operation, client: Client) => callWithSample(client, name, samples);

describe('without a key', () => {
  test.each(withKey)('%s is 401, whatever else is wrong', async (_, { method, path }) => {
    for (const headers of [{}, { 'X-API-Key': 'wrong' }, { 'X-API-Key': `${api.key}x` }]) {
      const response = await fetch(api.base + path, { method, headers });
      expect(response.status).toBe(401);
      expect(await response.json()).toMatchObject({ code: 'unauthenticated' });
    }
  });

  test.each(openToAll)('%s answers', async (_, { method, path }) => {
    const response = await fetch(api.base + path, { method });
    expect(response.status).toBe(200);
  });
});

describe('with a key that only reads', () => {
  test.each(writing)('%s is 403 and changes nothing', async (name, { right }) => {
    const before = await ourView();
    const { problem } = await call(name, await api.clientOf({ right: 'read' }));
    const code = right === 'admin' ? 'admin_required' : 'forbidden';
    expect(problem).toMatchObject({ status: 403, code });
    expect(await ourView()).toEqual(before);
  });

  test.each(reading)('%s answers and changes nothing', async (name) => {
    const before = await ourView();
    expect((await call(name, await api.clientOf({ right: 'read' }))).status).toBe(200);
    expect(await ourView()).toEqual(before);
  });
});

describe('with a key of another environment', () => {
  test.each(byId)('%s finds nothing', async (name) => {
    const before = await ourView();
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
    const before = await ourView();
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
