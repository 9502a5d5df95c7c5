import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { encodeFields } from '@sightline/engine/onnx/testing/hand-made-model';
import {
  type Answer,
  digestOf,
  PublishedServer,
  serving,
} from '@sightline/model-downloads/testing/published-server';
import { type RawEntry, rawZip } from '@sightline/archive-zip/zip-reading/testing/raw-zip';
import { drawPhoto } from '../../support/fixtures/draw-photo.ts';
import { writeCatalog, zipOfToyFaces } from '../../support/fixtures/published-pack.ts';
import { mountSmall } from '../../support/fixtures/small-file-system.ts';
import { temporaryFolder } from '../../support/fixtures/temporary-folder.ts';
import { toyPacksFolder } from '../../support/fixtures/toy-packs-folder.ts';
import { TOY_PACKS } from '../../support/fixtures/toy-packs.ts';
import { ok, okWith } from '../../support/services/ok.ts';
import {
  type RunningStandalone,
  startStandalone,
} from '../../support/services/running-standalone.ts';

const PAUSE_MS = 50;
const MEGABYTE = 1024 * 1024;
const DISK_MEGABYTES = 8;

/** A small disk for the cache; null if this account cannot mount a disk. */
const disk = mountSmall(DISK_MEGABYTES);
const testWithDisk = (name: string, body: () => Promise<void>) => {
  if (disk !== null) test(name, body);
  else test.skip(`${name} [skipped: this account cannot mount a small file system]`, body);
};

const resources = new AsyncDisposableStack();
const stop = new AbortController();
let server: PublishedServer;
let service: RunningStandalone;
let faces: Uint8Array;
let objects: Buffer;
let cache: string;
let asking: Promise<number>;
let before: readonly string[];

beforeAll(async () => {
  if (disk !== null) resources.use(disk);
  server = resources.use(await PublishedServer.start());
  const { path: folder } = resources.use(await temporaryFolder());
  cache = disk?.path ?? folder;
  faces = await zipOfToyFaces();
  objects = await readFile(join(toyPacksFolder(), TOY_PACKS.object, 'detector.onnx'));
  const address = `${server.url}/pack.onnx`;
  const { length: bytes } = faces;
  service = resources.use(
    await startStandalone({
      SIGHTLINE_CACHE: cache,
      SIGHTLINE_STORAGE_RESERVE: '0',
      SIGHTLINE_MODEL_CATALOG: await writeCatalog(folder, [
        { name: 'anything', address },
        { name: 'objects', address, task: 'object' },
        { name: 'link-local', address: 'http://169.254.169.254/pack.zip' },
        { name: 'sized', address: `${address}?sized`, bytes: bytes + 1 },
        { name: 'known', address: `${address}?known`, sha256: digestOf(faces) },
        { name: 'slow', address: `${address}?slow` },
      ]),
    }),
  );
  while ((await models()).every(({ name }) => name !== 'slow')) await sleep(PAUSE_MS);
  asking = ask(stop.signal);
});
beforeEach(async () => {
  before = await leftBehind();
});
afterEach(async () => {
  const active = (await models()).filter((model) => model.active).map(({ name }) => name);
  expect(active.toSorted()).toEqual([TOY_PACKS.face, TOY_PACKS.object]);
});
afterAll(async () => {
  stop.abort();
  await resources.disposeAsync();
});

/**
 * Repeats a request until the signal aborts. Expects a face in each answer, and returns the number
 * of answers.
 */
async function ask(signal: AbortSignal): Promise<number> {
  const file = await drawPhoto({ faces: ['Ada'] });
  let answers = 0;
  for (; !signal.aborted; answers++) {
    const { faces: found } = ok(await service.client.testImage({ body: { file, type: 'faces' } }));
    expect(found).toHaveLength(1);
    await sleep(PAUSE_MS);
  }
  return answers;
}

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

/** Downloads a model, and returns the job at its end. */
async function download(name: string) {
  const path = { id: await start(name) };
  for (;;) {
    const job = ok(await service.client.getJob({ path }));
    if (job.finished_at !== null) return job;
    await sleep(PAUSE_MS);
  }
}

async function activate(name: string) {
  const { id } = await modelOf(name);
  return service.client.activateModel({ path: { id }, body: {} });
}

/**
 * Returns all non-empty files in the pack store, the cache and the spool, except records of
 * downloads.
 */
async function leftBehind(): Promise<readonly string[]> {
  const folders = [cache, ...['models', 'spool', 'tmp'].map((name) => join(service.data, name))];
  const files = await Promise.all(folders.map(filesBelow));
  return files.flat().toSorted();
}

async function filesBelow(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const paths = names.map((name) => join(folder, name));
  const stats = await Promise.all(paths.map((path) => stat(path)));
  return paths.filter((path, at) => {
    return stats[at]!.isFile() && stats[at]!.size > 0 && !/partial-[^/]*\.json$/.test(path);
  });
}

async function expectFailed(name: string, reason: RegExp | string): Promise<void> {
  const job = await download(name);
  expect(job).toMatchObject({ status: 'failed', error: expect.stringMatching(reason) as unknown });
  const { status, sha256, error } = await modelOf(name);
  expect({ status, sha256, error }).toEqual({ status: 'failed', sha256: null, error: job.error });
  expect(await leftBehind()).toEqual(before);
}

const extended = (fields: object) => Buffer.concat([objects, encodeFields({ graph: fields })]);

test('an unknown model is not found', async () => {
  const path = { id: 2 ** 40 };
  const answers = [
    await service.client.getModel({ path }),
    await service.client.downloadModel({ path }),
    await service.client.activateModel({ path, body: {} }),
  ];
  for (const { problem } of answers)
    expect(problem).toMatchObject({ status: 404, code: 'not_found' });
});

test('a model whose files are not here is not activated', async () => {
  expect((await activate('known')).problem).toMatchObject({
    status: 409,
    code: 'model_not_downloaded',
  });
});

describe('what a server offers is refused:', () => {
  const MODEL = { name: 'a.onnx', data: Buffer.from('a model') };
  const bomb = { name: 'a.onnx', data: Buffer.alloc(4 * MEGABYTE), isDeflated: true };

  test.each<[string, readonly RawEntry[], RegExp]>([
    ['climbs out', [{ ...MODEL, name: '../a.onnx' }], /plain relative path/],
    ['has a link', [{ ...MODEL, claims: { mode: 0o120777 } }], /is a link/],
    ['is a bomb', [bomb], /1\/200 of its size/],
  ])('a ZIP file that %s', async (_, entries, reason) => {
    server.answers = [serving(rawZip(entries), { etag: null })];
    await expectFailed('anything', reason);
  });

  test('custom operators', async () => {
    const node = [{ opType: 'Steal', domain: 'com.example', input: [], output: [] }];
    server.answers = [serving(extended({ node }), { etag: null })];
    await expectFailed('objects', /the operator "Steal" of the unknown domain "com\.example"/);
  });

  test('external data', async () => {
    const externalData = [{ key: 'location', value: '../../api-key' }];
    const initializer = [{ name: 'w', dataLocation: 1, externalData }];
    server.answers = [serving(extended({ initializer }), { etag: null })];
    await expectFailed('objects', /stores the values of "w" in another file/);
  });

  test('a model of another task', async () => {
    server.answers = [serving(objects, { etag: null })];
    await expectFailed('anything', /provided a pack of the task object instead of face\.$/);
  });

  test('another length than is published', async () => {
    server.answers = [serving(faces)];
    await expectFailed('sized', `announced ${faces.length} bytes instead of ${faces.length + 1}`);
  });

  test('other bytes than are published, with both digests', async () => {
    const flipped = Buffer.from(faces);
    flipped[100]! ^= 1;
    server.answers = [serving(flipped)];
    await expectFailed('known', new RegExp(`${digestOf(flipped)} instead of ${digestOf(faces)}`));
  });
});

test('a link-local address is refused', async () => {
  const asked = server.requests.length;
  await expectFailed('link-local', /has an address that is not allowed/);
  expect(server.requests).toHaveLength(asked);
});

testWithDisk('a model that exceeds the disk space is refused before its download', async () => {
  server.answers = [
    (_request, response) => {
      response.writeHead(200, { 'Content-Length': 4 * DISK_MEGABYTES * MEGABYTE }).flushHeaders();
    },
  ];
  await expectFailed('anything', /^The disk has no space for \d+ more bytes of the model/);
});

test('a server that cuts and stalls blocks no request, and the download resumes once it answers', async () => {
  const half = faces.length / 2;
  const stalled = Promise.withResolvers<Parameters<Answer>[1]>();
  const stalling: Answer = (_request, response) => {
    const headers = { ETag: '"1"', 'Content-Range': restFrom(half) };
    response.writeHead(206, headers).flushHeaders();
    stalled.resolve(response);
  };
  server.answers = [serving(faces, { cutAfter: half }), stalling, serving(faces)];
  const downloading = download('slow');
  const response = await stalled.promise;
  expect(await modelOf('slow')).toMatchObject({ status: 'downloading' });
  response.destroy();
  expect(await downloading).toMatchObject({ status: 'done', done: faces.length, failed: 0 });
});

const restFrom = (start: number) => `bytes ${start}-${faces.length - 1}/${faces.length}`;

test('a model that cannot be loaded leaves the active one where it is', async () => {
  // The graph has the inputs and outputs of a detector, but an unknown operator.
  const broken = Buffer.from(
    objects.toString('latin1').replace('AveragePool', 'AveragePoof'),
    'latin1',
  );
  server.answers = [serving(broken, { etag: null })];
  expect(await download('objects')).toMatchObject({ status: 'done' });
  expect((await activate('objects')).problem).toMatchObject({
    status: 422,
    code: 'model_load_failed',
    detail: expect.stringContaining('AveragePoof') as unknown,
  });
  expect(await modelOf('objects')).toMatchObject({ status: 'downloaded', active: false });
});

test('faces were found throughout', async () => {
  stop.abort();
  expect(await asking).toBeGreaterThan(20);
  expect(okWith(200, await service.client.getHealth())).toMatchObject({ status: 'ok' });
});
