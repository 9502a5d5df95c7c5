import { writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import {
  digestOf,
  PublishedServer,
  serving,
  status as answering,
} from '@sightline/model-downloads/testing/published-server';
import { writeCatalog, zipOfToyFaces } from '../../support/fixtures/published-pack.ts';
import { temporaryFolder } from '../../support/fixtures/temporary-folder.ts';
import { TOY_PACKS } from '../../support/fixtures/toy-packs.ts';
import { ok } from '../../support/services/ok.ts';
import {
  type RunningStandalone,
  runStandalone,
  startStandalone,
} from '../../support/services/running-standalone.ts';

const PAUSE_MS = 50;

let resources: AsyncDisposableStack;
let server: PublishedServer;
let service: RunningStandalone;
let folder: string;
let zip: Uint8Array;

beforeAll(async () => {
  resources = new AsyncDisposableStack();
  zip = await zipOfToyFaces();
  server = resources.use(await PublishedServer.start());
  ({ path: folder } = resources.use(await temporaryFolder()));
  const address = `${server.url}/pack.zip`;
  const SIGHTLINE_MODEL_CATALOG = await writeCatalog(folder, [
    { name: 'published', address },
    { name: 'known', address, sha256: digestOf(zip) },
    { name: 'unreachable', address },
    { name: 'huge', address, bytes: 2 ** 31 - 1 },
    { name: 'slow', address },
  ]);
  service = resources.use(
    await startStandalone({ SIGHTLINE_MODEL_CATALOG, SIGHTLINE_CACHE: folder }),
  );
  while ((await models()).every(({ name }) => name !== 'slow')) await sleep(PAUSE_MS);
});
beforeEach(() => {
  server.answers = [serving(zip)];
});
afterAll(() => resources.disposeAsync());

async function models() {
  return ok(await service.client.listModels()).items;
}

async function modelOf(name: string) {
  return (await models()).find((model) => model.name === name)!;
}

async function start(name: string): Promise<number> {
  const { id } = await modelOf(name);
  return ok(await service.client.downloadModel({ path: { id } })).job_id;
}

async function jobOf(id: number) {
  return ok(await service.client.getJob({ path: { id } }));
}

async function endOf(id: number) {
  for (;;) {
    const job = await jobOf(id);
    if (job.finished_at !== null) return job;
    await sleep(PAUSE_MS);
  }
}

const download = async (name: string) => endOf(await start(name));

test('the list has what the product names and what runs', async () => {
  expect(await modelOf('buffalo_l')).toMatchObject({
    status: 'available',
    source_url: expect.stringContaining('/v0.7/buffalo_l.zip') as unknown,
    sha256: null,
    commercial_use: false,
    embedding_dim: 512,
  });
  expect(await modelOf('yolox-s')).toMatchObject({ license: 'Apache-2.0', commercial_use: true });
  expect(await modelOf(TOY_PACKS.face)).toMatchObject({ status: 'downloaded', active: true });
  const { id } = await modelOf('yolov8n');
  const { problem } = await service.client.downloadModel({ path: { id } });
  expect(problem).toMatchObject({ status: 409, code: 'no_source' });
});

test('a model is downloaded in place, and verified without the network after that', async () => {
  const { id } = await modelOf('published');
  expect(await download('published')).toMatchObject({
    type: 'model_download',
    status: 'done',
    total: zip.length,
    done: zip.length,
    failed: 0,
  });
  const model = await modelOf('published');
  const running = await modelOf(TOY_PACKS.face);
  expect(model).toMatchObject({
    id,
    status: 'downloaded',
    active: false,
    // The same bytes are the same model, even with another name.
    sha256: running.sha256,
    size_bytes: zip.length,
    license: 'Research-Only',
    embedding_dim: running.embedding_dim,
  });
  const asked = server.requests.length;
  expect(await download('published')).toMatchObject({ status: 'done', failed: 0 });
  expect(server.requests).toHaveLength(asked);
});

test('wrong bytes are reported with both digests, and the next download gets the right ones', async () => {
  const wrong = Buffer.from(zip);
  wrong[100]! ^= 1;
  server.answers = [serving(wrong, { etag: '"wrong"' })];
  expect(await download('known')).toMatchObject({ status: 'failed' });
  const { status, error, sha256 } = await modelOf('known');
  expect({ status, sha256 }).toEqual({ status: 'failed', sha256: null });
  expect(error).toContain(digestOf(zip));
  expect(error).toContain(digestOf(wrong));
  server.answers = [serving(zip)];
  expect(await download('known')).toMatchObject({ status: 'done' });
  expect(await modelOf('known')).toMatchObject({ status: 'downloaded', error: null });
});

test('a missing file is reported', async () => {
  server.answers = [answering(404)];
  expect(await download('unreachable')).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('404') as unknown,
  });
  expect(await modelOf('unreachable')).toMatchObject({ status: 'failed' });
});

test('a model as large as one may be is a job like others', async () => {
  const job = await download('huge');
  expect(job).toMatchObject({ type: 'model_download', total: 2 ** 31 - 1, status: 'failed' });
  expect(await modelOf('huge')).toMatchObject({ status: 'failed' });
});

test('a download that is cancelled stops, and another one may begin at once', async () => {
  const asked = server.requests.length;
  server.answers = [(_request, response) => response.writeHead(200).flushHeaders()];
  const id = await start('slow');
  expect(await modelOf('slow')).toMatchObject({ status: 'downloading' });
  while (server.requests.length === asked) await sleep(PAUSE_MS);
  ok(await service.client.cancelJob({ path: { id } }));
  expect(await modelOf('slow')).toMatchObject({ status: 'available', error: null });
  server.answers = [serving(zip)];
  const next = await start('slow');
  expect(next).not.toBe(id);
  expect(await endOf(next)).toMatchObject({ status: 'done' });
  expect(await jobOf(id)).toMatchObject({ status: 'failed', error: 'cancelled' });
  expect(await modelOf('slow')).toMatchObject({ status: 'downloaded' });
});

test.each([
  ['no JSON', '{', /not valid JSON/],
  ['another form', '[{"name":"x","task":"cat"}]', /task of entry 0 \(x\)/],
])('a catalog that is %s ends the start', async (_, text, reason) => {
  const path = `${folder}/wrong.json`;
  await writeFile(path, text);
  const { code, stderr } = await runStandalone({ SIGHTLINE_MODEL_CATALOG: path });
  expect(code).not.toBe(0);
  expect(stderr).toMatch(reason);
  expect(stderr).toContain('SIGHTLINE_MODEL_CATALOG');
});
