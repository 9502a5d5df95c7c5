import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { actOnFace } from '@sightline/core/curation/act-on-face';
import type { Job } from '@sightline/core/jobs/job';
import { InferenceOverloaded } from '@sightline/core/models/model-errors';
import { ModelRegistry } from '@sightline/core/models/model-registry';
import type { RegisteredModel } from '@sightline/core/models/model-store';
import { FACE_MODEL } from '@sightline/core/models/testing/sample-models';
import { identifyFaces } from '@sightline/core/recognition/identify-faces';
import { activateAtStart } from '@sightline/core/activation/activate-at-start';
import { backfillActiveModel } from '@sightline/core/reembedding/backfill-active-model';
import type { ReembedImageDeps } from '@sightline/core/reembedding/reembed-image';
import { StoreUnavailable } from '@sightline/core/store/store-errors';
import { createLogger } from '@sightline/platform/logging/logger';
import { reembedJob } from '@sightline/background/worker/jobs/reembed-job';
import {
  boxAt,
  faceAt,
  openRecognition,
  photo,
  type RecognitionFixture,
  visitor,
} from '../../support/fixtures/recognition-fixture.ts';
import { runItem } from '../../support/fixtures/run-jobs.ts';
import { endItem, killHolders } from '../../support/fixtures/seed-jobs.ts';
import { direction, type SeededEnvironment } from '../../support/fixtures/seeded-environment.ts';
import { storedEmbeddings } from '../../support/fixtures/stored-embeddings.ts';

/** The next model. Its embeddings point in other directions than those of the previous one. */
const NEXT = { ...FACE_MODEL, name: 'next', revision: 'a'.repeat(64) };
const TURN = 200;
const FIVE = [310, 320, 330, 340, 350].map((x) => ({ x, y: x - 150 }));

let fixture: RecognitionFixture;
let home: SeededEnvironment;
let guest: ReturnType<typeof visitor>;

beforeEach(async () => {
  fixture = await openRecognition();
  home = await fixture.store.environment();
  guest = visitor(fixture.process(), home);
  fixture.analyzer.models = [FACE_MODEL];
  // The position of a box determines the person, also in the stored image.
  fixture.analyzer.regionOf = ({ bbox, landmarks }) => ({
    embedding: direction(bbox.x / 10 + TURN),
    embeddingSource: 'aligned',
    landmarks,
  });
});

afterEach(async () => {
  await fixture[Symbol.asyncDispose]();
});

/** Prepares a photo of one face that looks into this direction. */
function show(text: string, degrees: number): void {
  const seen = fixture.analyzer.models[0]!.name === NEXT.name ? degrees + TURN : degrees;
  fixture.scenes.set(text, { faces: [faceAt(seen, { bbox: { ...boxAt(0), x: degrees * 10 } })] });
}

const start = () =>
  activateAtStart(
    {
      hosts: {
        statuses: async () => [await fixture.analyzer.status()],
        hold: () => Promise.resolve(),
      },
      models: new ModelRegistry(fixture.store.models),
      modelStore: fixture.store.models,
    },
    new AbortController().signal,
  );

async function startWithNext(): Promise<RegisteredModel> {
  fixture.analyzer.models = [NEXT];
  const [model] = await start();
  return model!;
}

/** Runs one item, without the pause that its job may have. */
async function runJob(changes: Partial<ReembedImageDeps> = {}): Promise<boolean> {
  const { store } = fixture;
  await store.query('UPDATE jobs SET paused_until = NULL');
  const logger = createLogger({ level: 'silent' });
  const deps = { ...fixture.process(), changeLog: store.changeLog, logger, ...changes };
  return runItem(store, { reembed: reembedJob(deps) });
}

async function runJobs(): Promise<void> {
  while (await runJob());
}

const marks = () =>
  fixture.store.query<{ modelId: number; reason: string }>(
    'SELECT model_id AS "modelId", reason FROM unembeddable_faces ORDER BY detection_id',
  );

const jobs = () => fixture.store.query<Job<'reembed'>>('SELECT * FROM jobs ORDER BY id');

const identify = (text: string) =>
  identifyFaces(fixture.process(), { scope: home.scope, image: photo(text), topN: 5 });

const vectorsOf = (modelId: number, ids: readonly number[]) =>
  storedEmbeddings(fixture.store, modelId, ids);

async function detected(text: string, degrees: number): Promise<number> {
  show(text, degrees);
  const { faces } = await guest.detect(text);
  return faces[0]!.detection.id;
}

describe('a start with another face model', () => {
  test('adds an embedding to every face, and a reference for every reference', async () => {
    show('ann', 0);
    const { identityId: ann } = await guest.enroll('ann', 'Ann');
    const stranger = await detected('stranger', 90);
    await fixture.catchUp();
    await home.events();

    const next = await startWithNext();
    expect(await jobs()).toMatchObject([
      { type: 'reembed', status: 'pending', total: 1, params: { faces: 'enrolled' } },
      { type: 'reembed', status: 'pending', total: 1, params: { faces: 'all' } },
    ]);
    await runJob();
    expect(await vectorsOf(next.id, [stranger])).toEqual([]);
    show('ann again', 10);
    expect((await identify('ann again')).faces[0]).toMatchObject({ identity: { id: ann } });

    await runJobs();
    expect(await jobs()).toMatchObject([
      { status: 'done', total: 1, done: 1, failed: 0, error: null },
      { status: 'done', total: 1, done: 1, failed: 0, error: null },
    ]);
    expect(await vectorsOf(next.id, [stranger])).toEqual([
      { detectionId: stranger, vector: direction(90 + TURN) },
    ]);
    const events = await home.events();
    expect(events.map(({ event }) => event)).toEqual(['job.done', 'job.done']);
    expect(await fixture.findings()).toEqual([]);
  });

  test('turns a face without landmarks like the detection did', async () => {
    fixture.scenes.set('lying', { faces: [faceAt(0, { landmarks: null, turned: 90 })] });
    await guest.detect('lying');
    await startWithNext();
    await runJobs();
    const { faceRegions } = fixture.analyzer.requests.at(-1)!;
    expect(faceRegions).toEqual([expect.objectContaining({ landmarks: null, turned: 90 })]);
  });

  test('marks faces that the model cannot embed, which then are never behind', async () => {
    show('ann', 0);
    await guest.enroll('ann', 'Ann');
    const upsideDown = await detected('upside down', 90);
    fixture.analyzer.regionOf = ({ landmarks }) => {
      return { embedding: null, embeddingSource: null, landmarks };
    };
    const next = await startWithNext();
    fixture.scenes.set('ann', { faces: [faceAt(0, { embedding: null, bbox: boxAt(0) })] });
    await guest.detect('ann');
    await runJobs();

    expect(await jobs()).toMatchObject([
      { status: 'done', total: 1, failed: 0 },
      { status: 'done', total: 1, failed: 0 },
    ]);
    expect(await vectorsOf(next.id, [upsideDown])).toEqual([]);
    expect(await marks()).toEqual([
      { modelId: next.id, reason: 'implausible_landmarks' },
      { modelId: next.id, reason: 'implausible_landmarks' },
    ]);
    await backfillActiveModel(fixture.store.models, home.scope);
    expect(await jobs()).toHaveLength(2);
    // Matching does not wait for the enrolled face that cannot be embedded.
    show('bea', 40);
    expect((await identify('bea')).faces).toHaveLength(1);
    expect(await fixture.findings()).toEqual([]);
  });

  test('has no work for faces that were stored without an embedding', async () => {
    fixture.scenes.set('upside down', { faces: [faceAt(0, { embedding: null })] });
    const { faces } = await guest.detect('upside down');
    expect(faces[0]!.detection).toMatchObject({ embeddingSource: null, identityId: null });
    expect(await marks()).toHaveLength(1);
    await backfillActiveModel(fixture.store.models, home.scope);
    expect(await jobs()).toEqual([]);
    // A later run finds a direction in which the face can be aligned.
    fixture.scenes.set('upside down', { faces: [faceAt(0)] });
    await guest.detect('upside down');
    expect(await marks()).toEqual([]);
    await guest.enroll('upside down', 'Ann');
    expect(await fixture.findings()).toEqual([]);
  });

  test('refuses matching until enrolled faces are done', async () => {
    show('ann', 0);
    const { identityId: ann } = await guest.enroll('ann', 'Ann');
    await startWithNext();
    show('ann again', 10);
    const unavailable = { code: 'vectors_unavailable' };
    await expect(identify('ann again')).rejects.toMatchObject(unavailable);
    await expect(guest.detect('ann again')).rejects.toMatchObject(unavailable);
    // A request that names the person needs no matching.
    show('bea', 90);
    expect((await guest.enroll('bea', 'Bea')).enrolled).toBe(true);
    // The other environment has no enrolled faces to embed again, so its requests are not refused.
    const neighbor = visitor(fixture.process(), await fixture.store.environment());
    expect((await neighbor.detect('ann again')).faces).toHaveLength(1);
    await runJob();
    const { faces } = await guest.detect('ann again');
    expect(faces[0]).toMatchObject({ detection: { identityId: ann, reviewStatus: 'confirmed' } });
  });

  test('recognizes everyone as before, also if confirmed or relabeled', async () => {
    const people = new Map<string, number>();
    for (const [i, name] of ['Ann', 'Bea', 'Cem', 'Dan'].entries()) {
      const id = await detected(name, i * 80);
      const { row } = await actOnFace(fixture.store, {
        scope: home.scope,
        id,
        action: 'relabel',
        target: { label: name },
      });
      people.set(name, row.identityId!);
    }
    await startWithNext();
    await runJobs();
    for (const [i, [name, id]] of [...people].entries()) {
      show(`${name} again`, i * 80 + 5);
      expect((await identify(`${name} again`)).faces[0]).toMatchObject({ identity: { id } });
    }
  });

  test.each(['confirm', 'relabel'] as const)(
    'enrolls whom a person names by %s before the job has come to the face',
    async (action) => {
      const id = await detected('ann', 0);
      const ann = await home.identity('Ann');
      await startWithNext();
      const target = action === 'confirm' ? { identityId: ann } : { label: 'Ann' };
      const acted = await actOnFace(fixture.store, { scope: home.scope, id, action, target });
      // The face has no vector of the active model yet, so it cannot be enrolled before the job has embedded it.
      expect(acted.reference).toBeNull();
      await runJobs();
      show('ann again', 5);
      expect((await identify('ann again')).faces[0]).toMatchObject({ identity: { id: ann } });
      expect(await fixture.findings()).toEqual([]);
    },
  );

  test('scales boxes by the exact ratio, for images that were stored smaller', async () => {
    fixture.analyzer.imageOf = () => ({ width: 3000, height: 2001 });
    const bbox = { x: 300, y: 150, w: 60, h: 90 };
    fixture.scenes.set('large', { faces: [faceAt(0, { bbox, landmarks: FIVE })] });
    const { source } = await guest.detect('large');
    expect([source.storedWidth, source.storedHeight]).toEqual([1920, 1281]);
    await startWithNext();
    await runJobs();
    const [region] = fixture.analyzer.requests.at(-1)!.faceRegions!;
    const [x, y] = [1920 / 3000, 1281 / 2001];
    expect(region).toEqual({
      bbox: { x: 300 * x, y: 150 * y, w: 60 * x, h: 90 * y },
      landmarks: FIVE.map((point) => ({ x: point.x * x, y: point.y * y })),
      turned: 0,
    });
  });

  test('uses the originals if they are stored', async () => {
    await fixture.store.systemSettings.put('system.keep_originals', true);
    fixture.analyzer.imageOf = () => ({ width: 4000, height: 2000 });
    await detected('kept', 0);
    await startWithNext();
    await runJobs();
    const { text, faceRegions, tenant } = fixture.analyzer.requests.at(-1)!;
    expect(tenant).toMatchObject({ caller: 'jobs' });
    expect(text).toBe('kept');
    expect(faceRegions![0]!.bbox).toEqual({ ...boxAt(0), x: 0 });
  });

  test('counts unreadable images as failed, and continues', async () => {
    const lost = await detected('lost', 0);
    const broken = await detected('broken', 40);
    const whole = await detected('whole', 80);
    const keys = await fixture.store.query<{ media_key: string }>(
      'SELECT media_key FROM source_images ORDER BY id',
    );
    await fixture.store.media.remove([keys[0]!.media_key]);
    await writeFile(join(fixture.store.mediaFolder, 'objects', keys[1]!.media_key), 'not an image');
    const next = await startWithNext();
    await runJobs();
    expect(await jobs()).toMatchObject([{ status: 'done', total: 3, done: 1, failed: 2 }]);
    const made = await vectorsOf(next.id, [lost, broken, whole]);
    expect(made.map(({ detectionId }) => detectionId)).toEqual([whole]);
  });

  test('an enrolled face whose image is lost does not block matching', async () => {
    show('ann', 0);
    await guest.enroll('ann', 'Ann');
    const [key] = await fixture.store.query<{ media_key: string }>(
      'SELECT media_key FROM source_images',
    );
    await fixture.store.media.remove([key!.media_key]);
    await startWithNext();
    await runJob();
    show('ann again', 5);
    expect((await identify('ann again')).faces[0]).toMatchObject({ identity: null });
  });

  test('waits where inference is busy', async () => {
    await detected('busy', 0);
    let refusals = 2;
    fixture.analyzer.before = () =>
      refusals-- > 0 ? Promise.reject(new InferenceOverloaded(0.01)) : Promise.resolve();
    await startWithNext();
    await runJobs();
    expect(await jobs()).toMatchObject([{ status: 'done', done: 1, failed: 0 }]);
  });

  test('waits while a disk is full up to its reserve', async () => {
    show('ann', 0);
    await guest.enroll('ann', 'Ann');
    const next = await startWithNext();
    const { media } = fixture.store;
    const full = new StoreUnavailable('The disk of the database is full up to its reserve.');
    const onFullDisk = {
      open: media.open.bind(media),
      requireAnswer: () => Promise.reject(full),
    };
    expect(await runJob({ media: onFullDisk })).toBe(true);
    expect(
      await fixture.store.query('SELECT FROM face_vectors WHERE model_id = $1', [next.id]),
    ).toEqual([]);
    expect(await jobs()).toMatchObject([{ status: 'running', done: 0, failed: 0 }]);
    await runJob();
    expect(await jobs()).toMatchObject([{ status: 'done', total: 1, done: 1 }]);
  });

  test('goes on where a process died, and does nothing twice', async () => {
    for (let i = 0; i < 6; i++) await detected(`${i}`, i * 30);
    await startWithNext();
    const before = fixture.analyzer.requests.length;
    await runJob();
    await fixture.store.jobs.claim(['reembed']);
    await killHolders(fixture.store);
    await runJobs();
    expect(fixture.analyzer.requests.length - before).toBe(6);
    expect(await jobs()).toMatchObject([{ status: 'done', total: 6, done: 6, failed: 0 }]);
    const rows = await fixture.store.query('SELECT detection_id FROM face_vectors');
    expect(rows).toHaveLength(12);
  });

  test('skips faces that got their embedding, or were deleted, meanwhile', async () => {
    const gone = await detected('gone', 0);
    const paired = await detected('paired', 90);
    const next = await startWithNext();
    show('paired', 90);
    await guest.detect('paired');
    fixture.scenes.set('gone', {});
    await guest.detect('gone', { replace: true });
    const before = fixture.analyzer.requests.length;
    await runJobs();
    expect(fixture.analyzer.requests).toHaveLength(before);
    expect(await vectorsOf(next.id, [gone, paired])).toHaveLength(1);
  });
});

describe('at a start', () => {
  test('nothing happens with the same models', async () => {
    await detected('stranger', 0);
    await start();
    expect(await jobs()).toEqual([]);
  });

  test('a model that becomes active again is behind again, whatever older jobs did', async () => {
    show('ann', 0);
    await guest.enroll('ann', 'Ann');
    await startWithNext();
    const older = (await fixture.store.jobs.claim(['reembed']))!;
    fixture.analyzer.models = [FACE_MODEL];
    await start();
    await startWithNext();
    await expect(endItem(fixture.store, older)).rejects.toMatchObject({ name: 'ClaimLost' });
    show('ann again', 10);
    await expect(identify('ann again')).rejects.toMatchObject({ code: 'vectors_unavailable' });
    await runJobs();
    expect((await identify('ann again')).faces[0]).toMatchObject({ identity: { label: 'Ann' } });
  });

  test('enrolled faces of all environments come first', async () => {
    for (const environment of [home, await fixture.store.environment()]) {
      const visit = visitor(fixture.process(), environment);
      show('ann', 0);
      show('stranger', 90);
      await visit.enroll('ann', 'Ann');
      await visit.detect('stranger');
    }
    await startWithNext();
    expect((await jobs()).map(({ params }) => params.faces)).toEqual([
      'enrolled',
      'enrolled',
      'all',
      'all',
    ]);
  });

  test('a model without embeddings needs no jobs', async () => {
    await detected('stranger', 0);
    fixture.analyzer.models = [{ ...NEXT, embeddingDim: null }];
    await start();
    expect(await jobs()).toEqual([]);
  });

  test('with the previous model, jobs of the other one end without work', async () => {
    await detected('stranger', 0);
    const next = await startWithNext();
    fixture.analyzer.models = [FACE_MODEL];
    await home.events();
    await start();
    expect(await jobs()).toMatchObject([{ status: 'done', total: 0, done: 0, failed: 0 }]);
    expect(await home.events()).toMatchObject([{ event: 'job.done' }]);
    expect(await vectorsOf(next.id, [1, 2, 3])).toEqual([]);
  });

  test('without a face model, its jobs wait for one', async () => {
    await detected('stranger', 0);
    await startWithNext();
    fixture.analyzer.models = [];
    await start();
    expect(await runJob()).toBe(true);
    expect(await jobs()).toMatchObject([{ status: 'running', done: 0, failed: 0 }]);
  });

  test('back with the previous model, faces stored meanwhile get its embeddings', async () => {
    const before = await detected('before', 0);
    const next = await startWithNext();
    await runJobs();
    const between = await detected('between', 90);
    await actOnFace(fixture.store, {
      scope: home.scope,
      id: before,
      action: 'relabel',
      target: { label: 'Ann' },
    });
    fixture.analyzer.models = [FACE_MODEL];
    fixture.analyzer.regionOf = ({ bbox, landmarks }) => ({
      embedding: direction(bbox.x / 10),
      embeddingSource: 'aligned',
      landmarks,
    });
    const [old] = await start();
    await runJobs();
    expect(old!.id).not.toBe(next.id);
    expect(await vectorsOf(old!.id, [before, between])).toHaveLength(2);
    show('ann again', 5);
    expect((await identify('ann again')).faces[0]).toMatchObject({ identity: { label: 'Ann' } });
  });
});
