import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { FakeAnalyzer } from '@sightline/core/analysis/testing/fake-analyzer';
import type { ImageAnalyzer } from '@sightline/core/analysis/image-analyzer';
import { actOnFace } from '@sightline/core/curation/act-on-face';
import type { ReportedModel } from '@sightline/core/models/analyzer-status';
import { InferenceOverloaded } from '@sightline/core/models/model-errors';
import type { RegisteredModel } from '@sightline/core/models/model-store';
import { FACE_MODEL, warmModel } from '@sightline/core/models/testing/sample-models';
import { NamingAnalyzer } from '@sightline/core/activation/naming-analyzer';
import { stragglersOf } from '@sightline/core/reembedding/reembeds-for';
import { createDetection } from '@sightline/core/recognition/create-detection';
import {
  boxAt,
  faceAt,
  openRecognition,
  type RecognitionFixture,
  visitor,
} from '../../support/fixtures/recognition-fixture.ts';
import { direction, type SeededEnvironment } from '../../support/fixtures/seeded-environment.ts';
import { storedEmbeddings } from '../../support/fixtures/stored-embeddings.ts';

const NEXT = { ...FACE_MODEL, name: 'next', revision: 'a'.repeat(64) };
/** The embedding that the next model computes for every face. */
const SEEN_BY_NEXT = direction(200);
const FIVE = [30, 40, 50, 60, 70].map((x) => ({ x, y: x }));

let fixture: RecognitionFixture;
let home: SeededEnvironment;
let guest: ReturnType<typeof visitor>;
let next: RegisteredModel;
/** Analyzes the requests that name the next model. */
let nextAnalyzer: FakeAnalyzer;
/** The models in the report of an inference process, with their states. */
let reported: readonly ReportedModel[];

beforeEach(async () => {
  fixture = await openRecognition();
  home = await fixture.store.environment();
  [next] = (await fixture.store.models.register([NEXT])) as [RegisteredModel];
  reported = [warmModel(NEXT)];
  nextAnalyzer = new FakeAnalyzer();
  nextAnalyzer.models = [NEXT];
  nextAnalyzer.regionOf = ({ landmarks }) => ({
    embedding: SEEN_BY_NEXT,
    embeddingSource: 'aligned',
    landmarks,
  });
  fixture.scenes.set('photo', { faces: [faceAt(0, { landmarks: FIVE })] });
  guest = visitor(process(), home);
});
afterEach(async () => {
  expect(await fixture.findings()).toEqual([]);
  await fixture[Symbol.asyncDispose]();
});

/** Returns the dependencies of a process whose inference has both models. */
function process() {
  const { analyzer } = fixture;
  const both: ImageAnalyzer = {
    status: async () => ({ ...(await analyzer.status()), report: reported }),
    requireRoom: () => undefined,
    analyze: (request, signal) =>
      (request.models?.face === NEXT.revision ? nextAnalyzer : analyzer).analyze(request, signal),
  };
  return fixture.process({ analyzer: both });
}

async function beginActivation(): Promise<void> {
  const { environmentId } = home.scope;
  const activation = { modelId: next.id, environmentId, reembed: 'before' as const };
  await fixture.store.activations.begin(activation);
  guest = visitor(process(), home);
}

/** Returns the images with enrolled faces for which the next model has no embeddings. */
const behind = () => fixture.store.activations.enrolledBehind(next.id, { after: null, limit: 10 });

const knownToNext = async (ids: readonly number[]): Promise<number> => {
  const made = await storedEmbeddings(fixture.store, next.id, ids);
  expect(made.map(({ vector }) => vector)).toEqual(made.map(() => SEEN_BY_NEXT));
  return made.length;
};

describe('while a face model is pending, it knows at once', () => {
  test('who is enrolled, and nothing more is announced than usually', async () => {
    fixture.scenes.set('earlier', { faces: [faceAt(90)] });
    await guest.enroll('earlier', 'Bea');
    const usual = (await home.events()).map(({ event }) => event);
    await beginActivation();
    const { identityId } = await guest.enroll('photo', 'Ann');
    const references = await fixture.store.query<{ model: number; identity: number }>(
      `SELECT model_id AS model, identity_id AS identity FROM face_references
       WHERE identity_id = $1 ORDER BY model_id`,
      [identityId],
    );
    expect(references).toEqual([
      { model: fixture.store.faceModelId, identity: identityId },
      { model: next.id, identity: identityId },
    ]);
    expect((await home.events()).map(({ event }) => event)).toEqual(usual);
    const { faceRegions, models } = nextAnalyzer.requests[0]!;
    expect(models).toEqual({ face: NEXT.revision });
    expect(faceRegions).toEqual([{ bbox: faceAt(0).bbox, landmarks: FIVE, turned: 0 }]);
  });

  test('nothing before a process has loaded it, and no image is sent', async () => {
    await beginActivation();
    reported = [warmModel(NEXT, { state: 'warming' })];
    await guest.enroll('photo', 'Ann');
    expect(nextAnalyzer.requests).toEqual([]);
    reported = [warmModel(NEXT)];
    fixture.scenes.set('other', { faces: [faceAt(90, { landmarks: FIVE })] });
    await guest.enroll('other', 'Bea');
    expect(nextAnalyzer.requests).toHaveLength(1);
  });

  test('every face that is stored, and whom a person confirms it to be', async () => {
    await beginActivation();
    const { faces } = await guest.detect('photo');
    const { id } = faces[0]!.detection;
    expect(await knownToNext([id])).toBe(1);
    const decision = {
      scope: home.scope,
      id,
      action: 'relabel',
      target: { label: 'Ann' },
    } as const;
    const { reference } = await actOnFace(
      { database: fixture.store.database, models: fixture.store.models },
      decision,
    );
    expect(reference).toMatchObject({ modelId: fixture.store.faceModelId });
    expect(await behind()).toEqual([]);
  });

  test('faces that a person draws, in the stored file', async () => {
    fixture.analyzer.imageOf = () => ({ width: 3840, height: 1920 });
    const { source } = await guest.detect('photo');
    await beginActivation();
    const bbox = { ...boxAt(10), w: 100, h: 200 };
    const drawn = { scope: home.scope, sourceImageId: source.id, type: 'face', bbox } as const;
    const { id } = await createDetection(process(), { ...drawn, label: 'Ann' });
    expect(await knownToNext([id])).toBe(1);
    const [region] = nextAnalyzer.requests[0]!.faceRegions!;
    expect(region!.bbox).toEqual({ x: 500, y: 5, w: 50, h: 100 });
    expect(await behind()).toEqual([]);
  });

  test('faces of an image that is stored already only if they are enrolled', async () => {
    await guest.detect('photo');
    await beginActivation();
    await guest.detect('photo');
    expect(nextAnalyzer.requests).toEqual([]);
    await guest.enroll('photo', 'Ann');
    expect(await behind()).toEqual([]);
  });
});

test('a pending model that does not answer keeps nothing from being stored', async () => {
  await beginActivation();
  nextAnalyzer.before = () => Promise.reject(new InferenceOverloaded(1));
  const { enrolled } = await guest.enroll('photo', 'Ann');
  expect(enrolled).toBe(true);
  expect(await behind()).toHaveLength(1);
});

test('what began before the switch is stored for the model that is active since', async () => {
  fixture.analyzer.before = async () => {
    await fixture.store.models.activate(next.id);
  };
  const { identityId } = await guest.enroll('photo', 'Ann');
  const found = await fixture.store.query(
    'SELECT identity_id AS id FROM face_references WHERE model_id = $1',
    [next.id],
  );
  expect(found).toEqual([{ id: identityId }]);
});

test('what is under way while a model gives way is stored, and brought up by the follower', async () => {
  const { models, activations, faceModelId } = fixture.store;
  await models.activate(next.id);
  const deps = process();
  const analyzer = new NamingAnalyzer(deps.analyzer, deps.models);
  nextAnalyzer.facesOf = () => [faceAt(200)];
  nextAnalyzer.before = async () => {
    await models.activate(faceModelId, { rolledBack: 'Its worker threads died.' });
  };
  const { identityId } = await visitor({ ...deps, analyzer }, home).enroll('photo', 'Ann');
  const made = await fixture.store.query<{ model: number }>(
    'SELECT model_id AS model FROM face_references WHERE identity_id = $1',
    [identityId],
  );
  // The enrollment does not notice that the model was rolled back, because the process caches the active model for
  // two seconds.
  expect(made).toEqual([{ model: next.id }]);
  const { environmentId } = home.scope;
  expect(await activations.behindSinceSwitch(faceModelId)).toEqual([environmentId]);
  await models.backfill({ environmentId, modelId: faceModelId }, stragglersOf({ id: faceModelId }));
  const jobs = await fixture.store.query<{ params: unknown }>('SELECT params FROM jobs');
  expect(jobs).toEqual([{ params: { modelId: faceModelId, faces: 'stragglers' } }]);
});

test('without another face model nothing is embedded twice', async () => {
  await guest.enroll('photo', 'Ann');
  expect(fixture.analyzer.requests).toHaveLength(1);
  expect(nextAnalyzer.requests).toEqual([]);
});
