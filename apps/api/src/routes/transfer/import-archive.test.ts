import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sampleFiles, zipOf } from '@sightline/archive-zip/testing/sample-archive';
import { FACE_MODEL } from '@sightline/core/models/testing/sample-models';
import { direction } from '@sightline/test/support/fixtures/seeded-environment';
import { BodyMemory } from '@sightline/platform/http/body-memory';
import { Spool } from '@sightline/platform/http/spool';
import { createMigratedDatabase } from '@sightline/test/support/servers/migrated-database';
import { okWith } from '@sightline/test/support/services/ok';
import { type ApiServer, startApi } from '../../testing/api-server.ts';
import { oneFace, photo } from '../../testing/people.ts';

let api: ApiServer;

/** The memory for request bodies, of which one key may hold 21 MiB. */
const MEMORY = 64 * 1024 ** 2;

beforeAll(async () => {
  const spool = new Spool({ maxBytes: Infinity, reserveBytes: 0 });
  const bodies = { memory: new BodyMemory(MEMORY), spool, archives: spool };
  api = await startApi(createMigratedDatabase, { bodies });
});
beforeEach(async () => {
  await api.reset();
  api.analyzer.facesOf = oneFace;
  api.analyzer.encodesSizes = true;
});
afterAll(() => api[Symbol.asyncDispose]());

const { name, revision } = FACE_MODEL;

const sample = () =>
  sampleFiles({
    models: [{ name, revision, embedding_dim: 2 }],
    identities: [{ label: 'Ann' }, { label: 'Bea' }],
    images: [{ detections: [{ identity: 1, looks: { 1: direction(10) } }] }],
  });

const asFile = (bytes: Uint8Array) => new File([new Uint8Array(bytes)], 'library.zip');
const archive = async (files = sample()) => asFile(await zipOf(files));
const NOTHING = { total: 0, identities: [] };

async function stored() {
  const [images, identities] = [await api.client.listImages(), await api.client.listIdentities()];
  return { total: images.body!.items.length, identities: identities.body!.items };
}

describe('POST /api/import', () => {
  test('adds what an archive has', async () => {
    const counts = okWith(200, await api.client.importArchive({ body: { file: await archive() } }));
    expect(counts).toEqual({
      identities_created: 2,
      identities_merged: 0,
      detections_created: 1,
      embeddings_created: 1,
      embeddings_dropped: 0,
      images_created: 1,
      skipped: 0,
    });
    expect(await stored()).toMatchObject({
      total: 1,
      identities: [{ label: 'Ann' }, { label: 'Bea' }],
    });
  });

  test('takes back what an export has written', async () => {
    await api.client.enrollFace({ body: { name: 'Ada', file: photo('0') } });
    await api.client.enrollFace({ body: { name: 'Bob', file: photo('90') } });
    const exported = await api.client.exportLibrary({ body: {} });
    const file = asFile(new Uint8Array(await (exported.body as File).arrayBuffer()));
    await api.reset();
    const counts = await api.client.importArchive({ body: { file } });
    expect(counts.problem).toBeNull();
    expect(counts.body).toMatchObject({
      identities_created: 2,
      detections_created: 2,
      embeddings_created: 2,
      images_created: 2,
    });
    const found = await api.client.identifyFaces({ body: { file: photo('0') } });
    expect(found.body!.faces).toMatchObject([{ label: 'Ada' }]);
  });

  test('answers a repeated request from memory', async () => {
    const headers = { 'Idempotency-Key': 'once' };
    const body = { file: await archive() };
    const first = await api.client.importArchive({ body, headers });
    const second = await api.client.importArchive({ body, headers });
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
  });

  test('makes a job with async=true, of a checked archive', async () => {
    const body = { file: await archive() };
    const { job_id } = okWith(
      202,
      await api.client.importArchive({ body, query: { async: true } }),
    );
    const job = await api.client.getJob({ path: { id: job_id } });
    expect(job.body).toMatchObject({ type: 'import', status: 'pending', total: 1, done: 0 });
    expect(await stored()).toEqual(NOTHING);
    const unsound = await api.client.importArchive({
      body: { file: asFile(Buffer.from('no ZIP')) },
      query: { async: true },
    });
    expect(unsound.status).toBe(415);
  });
});

describe('POST /api/import refuses', () => {
  test.each<[string, () => Promise<File>, object]>([
    [
      'what is no ZIP',
      () => Promise.resolve(photo('0')),
      { status: 415, code: 'unsupported_media_type' },
    ],
    [
      'a ZIP of something else',
      () => archive(new Map([['a.txt', Buffer.from('a')]])),
      { status: 422, code: 'archive_invalid', entry: 'sightline.json' },
    ],
    [
      'a file that is not what its record says',
      () => archive(sample().set('crops/1.jpg', Buffer.from('x'))),
      { status: 422, code: 'archive_invalid', entry: 'crops/1.jpg' },
    ],
  ])('%s', async (_, file, problem) => {
    const answer = await api.client.importArchive({ body: { file: await file() } });
    expect(answer.problem).toMatchObject(problem);
    expect(await stored()).toEqual(NOTHING);
  });

  test.each([
    ['no file', [], 'none was given'],
    ['two files', ['file', 'file'], 'given were: file, file'],
    ['a file of another name', ['archive'], 'given were: archive'],
  ])('%s', async (_, fields, given) => {
    const body = new FormData();
    body.append('note', 'a text');
    for (const field of fields) body.append(field, await archive());
    const response = await api.fetch('/api/import', { method: 'POST', body });
    expect(await response.json()).toMatchObject({
      status: 400,
      code: 'invalid_request',
      detail: `file: one file in this field is expected; ${given}.`,
    });
  });

  test('more bytes than the setting allows', async () => {
    const { systemSettings } = api.stores;
    await systemSettings.put('system.import_max_bytes', 200);
    try {
      const small = await api.client.importArchive({ body: { file: await archive() } });
      expect(small.problem).toMatchObject({ status: 413, code: 'file_too_large' });
      const body = { file: asFile(Buffer.alloc(100_000)) };
      const large = await api.client.importArchive({ body });
      expect(large.problem).toMatchObject({ status: 413, code: 'body_too_large' });
    } finally {
      await systemSettings.put('system.import_max_bytes', null);
    }
    expect(await stored()).toEqual(NOTHING);
  });

  test('more identities than the memory of its key takes', async () => {
    const many = Array.from({ length: 20_000 }, (_, i) => ({ label: `Person ${i}` }));
    const file = await archive(sampleFiles({ identities: many }));
    const answer = await api.client.importArchive({ body: { file } });
    expect(answer.problem).toMatchObject({ status: 429, code: 'overloaded' });
    expect(await stored()).toEqual(NOTHING);
  });
});
