import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { localFileOf } from '@sightline/core/media/testing/local-file-of';
import type { DesiredModel } from '@sightline/core/models/desired-models';
import { Engine } from '@sightline/engine/engine';
import { discoverPacks } from '@sightline/engine/packs/discover-packs';
import type { ModelPack } from '@sightline/engine/packs/manifest';
import { packFiles } from '@sightline/engine/packs/pack-files';
import { FilePackStore } from '@sightline/media/fs/file-pack-store';
import { engineOptions } from '@sightline/model-host/open-engine';
import { HostPacks } from '@sightline/model-host/packs/host-packs';
import { parseConfig } from '@sightline/platform/config/parse-config';
import { createLogger } from '@sightline/platform/logging/logger';
import { createHttpMetrics } from '@sightline/platform/metrics/http-metrics';
import { createMetricsRegistry } from '@sightline/platform/metrics/metrics-registry';
import { drawPhoto } from '@sightline/test/support/fixtures/draw-photo';
import { temporaryFolder } from '@sightline/test/support/fixtures/temporary-folder';
import { writeOtherToyFaces, writeToyPacks } from '@sightline/test/support/fixtures/toy-packs';
import { createInferenceRole, type InferenceRole } from '../role.ts';
import { ServingFile } from './serving-file.ts';

const FACES = {
  detectionThreshold: 0.5,
  embed: true,
  attributes: false,
  fullFramePass: false,
  upright: false,
};
const RETRY_MS = 100;
const IGNORE = () => undefined;
const OBSERVER = {
  jobStarted: IGNORE,
  jobRefused: IGNORE,
  workerLost: IGNORE,
  stageTimed: IGNORE,
  analysisRefused: IGNORE,
};

let resources: AsyncDisposableStack;
let path: string;
let store: FilePackStore;
let role: InferenceRole;
let engine: Engine;
let stop: AbortController;
/** Toy packs: two for faces, one for objects. */
let packs: Readonly<Record<'faces' | 'others' | 'objects', ModelPack>>;

beforeEach(async () => {
  resources = new AsyncDisposableStack();
  stop = new AbortController();
  const folder = resources.use(await temporaryFolder()).path;
  path = join(folder, 'serving.json');
  const models = join(folder, 'models');
  await writeToyPacks(models);
  await writeOtherToyFaces(models, 'other-faces');
  const found = (await discoverPacks(models)).packs;
  const named = (name: string) => found.find(({ manifest }) => manifest.name === name)!;
  packs = {
    faces: named('toy-faces'),
    others: named('other-faces'),
    objects: named('toy-objects'),
  };
  store = await FilePackStore.open({ folder: join(folder, 'store') });
  const environment = { SIGHTLINE_CACHE: join(folder, 'cache'), SIGHTLINE_WORKERS: '1' };
  const { config } = parseConfig({ ...environment, SIGHTLINE_STARTER: 'off' }, ['models']);
  const logger = createLogger({ level: 'silent' });
  engine = new Engine({
    ...engineOptions(config),
    source: new HostPacks({ packs: [], config, store, logger }),
    observer: OBSERVER,
    retryMs: RETRY_MS,
  });
  role = resources.use(
    createInferenceRole({
      host: '127.0.0.1',
      port: 0,
      keys: null,
      limits: { maxBytes: 1 },
      bodyMemory: 1,
      openEngine: () => Promise.resolve(engine),
      source: new ServingFile(path, logger),
      logger,
      observer: createHttpMetrics(createMetricsRegistry()),
    }),
  );
});

afterEach(async () => {
  stop.abort();
  await resources.disposeAsync();
});

const start = () => role.start(stop.signal);

/** Replaces the file atomically, as the kubelet does. */
async function write(...models: readonly DesiredModel[]): Promise<void> {
  await writeFile(`${path}.new`, JSON.stringify({ models }));
  await rename(`${path}.new`, path);
}

function model(pack: ModelPack, keep: DesiredModel['keep'] = 'loaded'): DesiredModel {
  const { manifest, revision } = pack;
  return {
    name: manifest.name,
    task: manifest.task,
    revision,
    keep,
  };
}

async function push(pack: ModelPack, change = (bytes: Buffer) => bytes): Promise<void> {
  for (const { file, sha256 } of packFiles(pack.manifest)) {
    const bytes = change(await readFile(join(pack.directory, file)));
    await store.putFile(sha256, localFileOf(bytes));
  }
  await store.putManifest(pack.revision, JSON.stringify(pack.manifest));
}

const states = () =>
  Object.fromEntries(
    engine.status().report.map(({ name, state, error }) => [name, error?.reason ?? state]),
  );

/** Waits until the report has these states. */
async function waitForReport(expected: Readonly<Record<string, string>>): Promise<void> {
  for (let waits = 0; waits < 2_000; waits++) {
    if (JSON.stringify(states()) === JSON.stringify(expected)) return;
    await sleep(25);
  }
  expect(states()).toEqual(expected);
}

async function facesOf(pack: ModelPack) {
  const image = new Uint8Array(await (await drawPhoto({ faces: ['Ada'] })).arrayBuffer());
  const models = { face: pack.revision };
  const { faces } = await engine.analyze({ image, models, faces: FACES });
  return faces!.model.name;
}

test('a process loads the models that the file names, and follows its changes', async () => {
  await Promise.all([push(packs.faces), push(packs.others), push(packs.objects)]);
  const starting = start();
  await sleep(2 * RETRY_MS);
  expect([await role.ready(), engine.status().report]).toEqual([false, []]);

  await write(model(packs.faces), model(packs.objects), model(packs.others, 'disk'));
  await starting;
  expect(await role.ready()).toBe(true);
  await waitForReport({ 'toy-faces': 'warm', 'toy-objects': 'warm', 'other-faces': 'disk' });
  const found = engine.status().found.map(({ name, embeddingDim }) => [name, embeddingDim]);
  expect(found.sort()).toEqual([
    ['other-faces', packs.others.manifest.components[1]!.embedding_dim],
    ['toy-faces', packs.faces.manifest.components[1]!.embedding_dim],
    ['toy-objects', null],
  ]);
  expect(await facesOf(packs.faces)).toBe('toy-faces');
  await expect(facesOf(packs.others)).rejects.toMatchObject({ isNotHere: true });

  await write(model(packs.faces), model(packs.others), model(packs.objects));
  await waitForReport({ 'toy-faces': 'warm', 'other-faces': 'warm', 'toy-objects': 'warm' });
  const answers = [facesOf(packs.faces), facesOf(packs.others)];
  expect(await Promise.all(answers)).toEqual(['toy-faces', 'other-faces']);
  expect(engine.status().report).toMatchObject([
    { revision: packs.faces.revision, task: 'face', lastRequestedSecondsAgo: expect.any(Number) },
    { lastRequestedSecondsAgo: expect.any(Number) },
    { lastRequestedSecondsAgo: null },
  ]);

  await write(model(packs.others), model(packs.objects));
  await waitForReport({ 'other-faces': 'warm', 'toy-objects': 'warm' });
  await expect(facesOf(packs.faces)).rejects.toMatchObject({ isNotHere: true });
  expect(await facesOf(packs.others)).toBe('other-faces');
});

test('a process that cannot load its model is not ready, reports the reason and retries', async () => {
  await write(model(packs.faces));
  const starting = start();
  await waitForReport({ 'toy-faces': 'LoadFailed' });
  expect(engine.status().report[0]!.error!.message).toMatch(/^This process cannot get the files/);
  await push(packs.faces, (bytes) => Buffer.from(bytes).fill(0, 0, 1));
  await sleep(2 * RETRY_MS);
  expect(await role.ready()).toBe(false);
  await push(packs.faces);
  await starting;
  expect([await role.ready(), await facesOf(packs.faces)]).toEqual([true, 'toy-faces']);
});

test('a loaded model goes on serving while another one cannot be loaded', async () => {
  await push(packs.faces);
  await write(model(packs.faces));
  await start();
  await write(model(packs.faces), model(packs.others));
  await waitForReport({ 'toy-faces': 'warm', 'other-faces': 'LoadFailed' });
  expect([await role.ready(), await facesOf(packs.faces)]).toEqual([true, 'toy-faces']);
  await push(packs.others);
  await waitForReport({ 'toy-faces': 'warm', 'other-faces': 'warm' });
});

test.each([
  ['is no JSON', '{'],
  ['names no digest', JSON.stringify({ models: [{ name: 'a', task: 'face', revision: 'x' }] })],
])('a file that %s changes nothing', async (_, text) => {
  await push(packs.faces);
  await write(model(packs.faces));
  await start();
  await writeFile(path, text);
  await sleep(4 * RETRY_MS);
  expect(states()).toEqual({ 'toy-faces': 'warm' });
  await rm(path);
  await sleep(4 * RETRY_MS);
  expect(await facesOf(packs.faces)).toBe('toy-faces');
});

test('an aborted start ends with the reason', async () => {
  const starting = start();
  stop.abort(new Error('The process is stopping.'));
  await expect(starting).rejects.toThrow('The process is stopping.');
});
