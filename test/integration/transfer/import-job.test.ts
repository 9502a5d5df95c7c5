import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { zipArchiveReader } from '@sightline/archive-zip/reading/open-archive';
import {
  type SampleArchive,
  sampleFiles,
  zipOf,
} from '@sightline/archive-zip/testing/sample-archive';
import { cancelJob } from '@sightline/core/administration/cancel-job';
import { deleteDetections } from '@sightline/core/curation/delete-detections';
import type { MediaStore } from '@sightline/core/media/media-store';
import { collectOrphans } from '@sightline/core/maintenance/collect-orphans';
import { localFileOf } from '@sightline/core/media/testing/local-file-of';
import { FACE_MODEL } from '@sightline/core/models/testing/sample-models';
import { StoreUnavailable } from '@sightline/core/store/store-errors';
import { startImport } from '@sightline/core/transfer/start-import';
import { Spool } from '@sightline/platform/http/spool';
import { importJob } from '@sightline/background/worker/jobs/import-job';
import { ImportMemory } from '@sightline/background/worker/jobs/import-memory';
import { changed } from '../../support/fixtures/changed.ts';
import {
  openRecognition,
  type RecognitionFixture,
} from '../../support/fixtures/recognition-fixture.ts';
import { runItem } from '../../support/fixtures/run-jobs.ts';
import { killHolders } from '../../support/fixtures/seed-jobs.ts';
import { direction, type SeededEnvironment } from '../../support/fixtures/seeded-environment.ts';
import type { StoreFixture } from '../../support/fixtures/store-fixture.ts';

let fixture: RecognitionFixture;
let store: StoreFixture;
let home: SeededEnvironment;

beforeAll(async () => {
  fixture = await openRecognition();
  ({ store } = fixture);
});
beforeEach(async () => {
  home = await store.environment();
});
afterEach(async () => {
  // A process that is interrupted during a transaction cannot know whether the transaction was
  // committed, so it leaves the files.
  await collectOrphans(store, 0);
  expect(await fixture.findings()).toEqual([]);
});
afterAll(async () => {
  await fixture[Symbol.asyncDispose]();
});

const IMAGES = 12;
const { name, revision } = FACE_MODEL;
const LIBRARY: SampleArchive = {
  models: [{ name, revision, embedding_dim: 2 }],
  identities: [{ label: 'Ann' }],
  images: Array.from({ length: IMAGES }, (_, i) => ({
    detections: [{ identity: 1, looks: { 1: direction(i) } }],
  })),
};

async function start(media: MediaStore = store.media) {
  const file = localFileOf(await zipOf(sampleFiles(LIBRARY)));
  const { database, models: modelStore } = store;
  const deps = { database, media, modelStore, archives: zipArchiveReader };
  return startImport(deps, { scope: home.scope, file });
}

function work(media: MediaStore = store.media, memory = new ImportMemory(0)): Promise<boolean> {
  const { database, models: modelStore } = store;
  const spool = new Spool({ maxBytes: 1024 ** 2, reserveBytes: 0 });
  const works = { import: importJob({ database, media, modelStore, spool, memory }) };
  return runItem(store, works);
}

const jobOf = ({ id }: { readonly id: number }) =>
  store.database.withScope(home.scope, ({ jobs }) => jobs.byId(id));

const resultOf = ({ id }: { readonly id: number }) =>
  store.database.withScope(home.scope, async ({ jobs }) => {
    const [item] = await jobs.endedItems(id, { after: -1, limit: 1 });
    return item!.error ?? item!.result;
  });

const uploads = async () =>
  (await store.files(home.scope)).filter((key) => key.includes('/uploads/'));

const images = () => store.database.withScope(home.scope, ({ sources }) => sources.count({}));

/** Returns the environment's events about jobs, and its other events. */
async function countEvents() {
  const events = await home.events();
  return {
    ends: events.filter(({ event }) => event === 'job.done').length,
    detections: events.filter(({ event }) => event === 'detection.created').length,
    identities: events.filter(({ event }) => event === 'identity.created').length,
  };
}

const ALL = { ends: 1, detections: IMAGES, identities: 1 };

test('imports the archive that was handed in, counts images, and ends once', async () => {
  const job = await start();
  expect(job).toMatchObject({ type: 'import', status: 'pending', total: IMAGES });
  expect(await uploads()).toHaveLength(1);
  expect(await work()).toBe(true);
  expect(await jobOf(job)).toMatchObject({ status: 'done', done: IMAGES, failed: 0, error: null });
  expect(await resultOf(job)).toEqual({
    identities_created: 1,
    identities_merged: 0,
    detections_created: IMAGES,
    embeddings_created: IMAGES,
    embeddings_dropped: 0,
    images_created: IMAGES,
    skipped: 0,
  });
  expect(await uploads()).toEqual([]);
  expect(await countEvents()).toEqual(ALL);
});

test('waits for memory that another import of the process holds', async () => {
  const job = await start();
  const memory = new ImportMemory(1);
  {
    using other = memory.open();
    other.reserve(1);
    await work(store.media, memory);
    expect(await jobOf(job)).toMatchObject({ status: 'running', done: 0, error: null });
    expect(await images()).toBe(0);
  }
  do await killHolders(store);
  while (!(await work(store.media, memory)));
  expect(await jobOf(job)).toMatchObject({ status: 'done', done: IMAGES });
  expect(await countEvents()).toEqual(ALL);
});

/**
 * A store whose puts wait from the n-th one on until their release, as if the process were paused
 * or killed.
 */
function pausing(at: number) {
  const [reached, goOn] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  let puts = 0;
  const media = changed(store.media, {
    put: async (...args) => {
      puts += 1;
      if (puts >= at) {
        reached.resolve(undefined);
        await goOn.promise;
      }
      return store.media.put(...args);
    },
  });
  return { media, reached: reached.promise, goOn: () => goOn.resolve(undefined) };
}

/**
 * Takes over the job of a paused process. This repeats, because a statement in flight may renew the
 * lease of the paused process.
 */
async function takeOver(): Promise<void> {
  do await killHolders(store);
  while (!(await work()));
}

test('goes on in another process, while the one that was paused applies nothing twice', async () => {
  const job = await start();
  const paused = pausing(IMAGES);
  const first = work(paused.media);
  await paused.reached;
  await takeOver();
  expect(await jobOf(job)).toMatchObject({ status: 'done', done: IMAGES });
  paused.goOn();
  await first;
  expect(await images()).toBe(IMAGES);
  expect(await countEvents()).toEqual(ALL);
});

test('that was paused brings nothing back that was deleted after its end', async () => {
  await start();
  const paused = pausing(IMAGES);
  const first = work(paused.media);
  await paused.reached;
  await takeOver();
  const rows = await store.query<{ id: number }>(
    'SELECT id FROM detections WHERE environment_id = $1',
    [home.scope.environmentId],
  );
  const ids = rows.map(({ id }) => id);
  const { discardedSources } = await deleteDetections(store, { scope: home.scope, ids });
  expect(discardedSources).toHaveLength(IMAGES);
  paused.goOn();
  await first;
  expect(await images()).toBe(0);
});

test('waits while a store is away', async () => {
  const job = await start();
  let puts = 0;
  const media = changed(store.media, {
    put: (...args) => {
      puts += 1;
      return puts === 5 ? Promise.reject(new StoreUnavailable('away')) : store.media.put(...args);
    },
  });
  await work(media);
  expect(await jobOf(job)).toMatchObject({ status: 'running', failed: 0 });
  await store.query('UPDATE jobs SET paused_until = NULL WHERE id = $1', [job.id]);
  await work();
  expect(await jobOf(job)).toMatchObject({ status: 'done', done: IMAGES });
  expect(await images()).toBe(IMAGES);
  expect(await countEvents()).toEqual(ALL);
});

test('fails if the upload is damaged by then, and stores nothing', async () => {
  const job = await start();
  const media = changed(store.media, {
    open: () => Promise.resolve({ size: 4, body: new Response('PK\u0003\u0004').body! }),
  });
  await work(media);
  expect(await jobOf(job)).toMatchObject({ status: 'failed' });
  expect(await resultOf(job)).toMatchObject({ code: 'archive_invalid' });
  expect(await uploads()).toHaveLength(1);
  expect(await images()).toBe(0);
  expect(await countEvents()).toEqual({ ends: 1, detections: 0, identities: 0 });
});

test('leaves no archive behind if the client goes while it is stored', async () => {
  const media = changed(store.media, {
    putFile: async (...args) => {
      await store.media.putFile(...args);
      throw new DOMException('The client is gone.', 'AbortError');
    },
  });
  await expect(start(media)).rejects.toThrow('The client is gone.');
  expect(await uploads()).toEqual([]);
});

test('is cancelled before it has begun', async () => {
  const job = await start();
  await cancelJob(store, { scope: home.scope, id: job.id });
  expect(await work()).toBe(false);
  expect(await uploads()).toEqual([]);
});
