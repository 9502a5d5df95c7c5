import type { Scope } from '@sightline/core/store/scope';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { zipArchiveReader } from '@sightline/archive-zip/reading/open-archive';
import {
  type SampleArchive,
  type SampleDetection,
  sampleFiles,
  zipOf,
} from '@sightline/archive-zip/testing/sample-archive';
import { collectOrphans } from '@sightline/core/maintenance/collect-orphans';
import { localFileOf } from '@sightline/core/media/testing/local-file-of';
import { FACE_MODEL } from '@sightline/core/models/testing/sample-models';
import { importArchive, type ImportOptions } from '@sightline/core/transfer/import-archive';
import type { ImportCounts } from '@sightline/core/transfer/import-counts';
import {
  openRecognition,
  type RecognitionFixture,
} from '../../support/fixtures/recognition-fixture.ts';
import { direction, type SeededEnvironment } from '../../support/fixtures/seeded-environment.ts';

let fixture: RecognitionFixture;
let home: SeededEnvironment;

beforeAll(async () => {
  fixture = await openRecognition();
});

beforeEach(async () => {
  home = await fixture.store.environment();
});

afterEach(async () => {
  expect(await fixture.findings()).toEqual([]);
});

afterAll(async () => {
  await fixture[Symbol.asyncDispose]();
});

const ACTIVE = { name: FACE_MODEL.name, revision: FACE_MODEL.revision, embedding_dim: 2 };
const OTHER = { name: 'another', revision: 'c'.repeat(64), embedding_dim: 3 };
const AT = '2026-01-02T03:04:05.678Z';
const HUMAN = { decided_by: 'human' } as const;

async function importOf(
  archive: SampleArchive,
  options?: ImportOptions,
  scope: Scope = home.scope,
): Promise<ImportCounts> {
  const file = localFileOf(await zipOf(sampleFiles(archive)));
  const { database, media, models } = fixture.store;
  return importArchive(
    { database, media, modelStore: models, archives: zipArchiveReader },
    { scope, file },
    options,
  );
}

test('the import of a request is in the audit, that of a job is there already', async () => {
  const archive = withFaces({ ...HUMAN, identity: 1 });
  await importOf(archive);
  const actor = { kind: 'request', accountId: null, keyId: 7, requestId: 'request' } as const;
  await importOf(archive, {}, { ...home.scope, actor });
  const { environmentId } = home.scope;
  const page = { after: null, limit: 10 };
  const { items } = await fixture.store.audit.list({ environmentId, entity: 'library' }, page);
  expect(items).toMatchObject([{ action: 'import', keyId: 7, requestId: 'request' }]);
});

/** An archive of one image with these faces side by side. Its identities are Ann (1), Bea (2) and Cem (3). */
function withFaces(...faces: readonly SampleDetection[]): SampleArchive {
  return {
    models: [ACTIVE],
    identities: [{ label: 'Ann' }, { label: 'Bea' }, { label: 'Cem' }],
    images: [
      {
        detections: faces.map((face, i) => ({ bbox: { x: i * 60, y: 0, w: 50, h: 50 }, ...face })),
      },
    ],
  };
}

async function rows() {
  return fixture.store.database.withScope(home.scope, async (stores) => {
    const { items } = await stores.sources.list({}, { order: 'oldest', after: null, limit: 200 });
    const found = await Promise.all(items.map(({ id }) => stores.detections.ofSource(id)));
    const detections = found.flat();
    const ids = detections.map(({ id }) => id);
    return {
      images: items,
      detections,
      references: await stores.references.ofDetections(ids),
      rejections: await stores.gallery.rejections(ids),
      identities: (await stores.identities.list({}, { after: null, limit: null })).items,
    };
  });
}

const ANN_S_LOOK = direction(10);

test('what an archive has is stored as it is', async () => {
  const counts = await importOf({
    models: [ACTIVE],
    identities: [
      { label: 'Ann', external_ref: 'a-1', created_at: AT },
      { label: 'Bea' },
      { label: 'dog', type: 'object' },
      { label: 'Nobody' },
    ],
    images: [
      {
        external_ref: 'photo-1',
        uploaded_at: AT,
        taken_at: AT,
        detections: [
          {
            identity: 1,
            is_cover: true,
            looks: { 1: ANN_S_LOOK },
            detected_at: AT,
            turned: 270,
          },
          {
            ...HUMAN,
            bbox: { x: 100, y: 10, w: 50, h: 50 },
            review_status: 'rejected',
            dismissed_at: AT,
            looks: { 1: direction(80) },
            rejected_from: [{ identity: 2, is_latest: true, rejected_at: AT }],
          },
          {
            ...HUMAN,
            identity: 3,
            type: 'object',
            class_name: 'cat',
            class_id: 15,
            is_manual: true,
          },
        ],
      },
    ],
  });
  expect(counts).toEqual({
    identitiesCreated: 4,
    identitiesMerged: 0,
    detectionsCreated: 3,
    embeddingsCreated: 1,
    embeddingsDropped: 0,
    imagesCreated: 1,
    skipped: 0,
  });
  const { images, detections, references, rejections, identities } = await rows();
  expect(images).toMatchObject([
    {
      externalRef: 'photo-1',
      uploadedAt: new Date(AT),
      takenAt: new Date(AT),
      width: 400,
      storedWidth: 200,
    },
  ]);
  const [face, rejected, object] = detections;
  expect(face).toMatchObject({ label: 'Ann', detectedAt: new Date(AT), reviewStatus: 'confirmed' });
  // Archives of older releases have no angles.
  expect(detections.map(({ turned }) => turned)).toEqual([270, 0, 0]);
  expect(rejected).toMatchObject({
    identityId: null,
    decidedBy: 'human',
    dismissedAt: new Date(AT),
  });
  expect(object).toMatchObject({
    label: 'dog',
    className: 'cat',
    isManual: true,
    decidedBy: 'human',
  });
  expect(references).toMatchObject([
    { detectionId: face!.id, modelId: fixture.store.faceModelId, identityId: face!.identityId },
  ]);
  expect(rejections).toMatchObject([{ detectionId: rejected!.id }]);
  expect(identities).toMatchObject([
    { label: 'Ann', externalRef: 'a-1', coverDetectionId: face!.id, createdAt: new Date(AT) },
    { label: 'Bea' },
    { label: 'Nobody' },
    { label: 'dog' },
  ]);
});

test('its events are those of anything new', async () => {
  await importOf(withFaces({ identity: 1, is_cover: true, looks: { 1: ANN_S_LOOK } }));
  const events = await home.events();
  expect(events.map(({ event, data }) => [event, (data as { action?: string }).action])).toEqual([
    ['identity.created', undefined],
    ['detection.created', undefined],
    ['identity.updated', 'detection_added'],
    ['identity.updated', 'embedding_added'],
    ['identity.updated', 'thumbnail_updated'],
    ['identity.created', undefined],
    ['identity.created', undefined],
  ]);
});

test('a repeated import adds no row and emits no event', async () => {
  const archive = withFaces(
    { identity: 1, is_cover: true, looks: { 1: ANN_S_LOOK } },
    { ...HUMAN, rejected_from: [{ identity: 2, is_latest: true, rejected_at: AT }] },
    { ...HUMAN, identity: 3, review_status: 'pending', dismissed_at: AT },
  );
  await importOf(archive);
  const [before, files] = [await rows(), await fixture.store.files(home.scope)];
  await home.events();
  expect(await importOf(archive)).toEqual({
    identitiesCreated: 0,
    identitiesMerged: 3,
    detectionsCreated: 0,
    embeddingsCreated: 0,
    embeddingsDropped: 0,
    imagesCreated: 0,
    skipped: 4,
  });
  expect(await rows()).toEqual(before);
  expect(await fixture.store.files(home.scope)).toEqual(files);
  expect(await home.events()).toEqual([]);
});

test.each<[string, SampleDetection, SampleDetection, object]>([
  [
    'a person in the archive wins over the service here',
    { identity: 1, looks: { 1: ANN_S_LOOK } },
    { ...HUMAN, identity: 2, looks: { 1: ANN_S_LOOK } },
    { label: 'Bea', decidedBy: 'human', reviewStatus: 'confirmed' },
  ],
  [
    'a person here wins over the service in the archive',
    { ...HUMAN, identity: 1, looks: { 1: ANN_S_LOOK } },
    { identity: 2, looks: { 1: ANN_S_LOOK } },
    { label: 'Ann', decidedBy: 'human' },
  ],
  [
    'of two persons the one here wins',
    { ...HUMAN, identity: 1, looks: { 1: ANN_S_LOOK } },
    { ...HUMAN, identity: 2, looks: { 1: ANN_S_LOOK } },
    { label: 'Ann' },
  ],
  [
    'an assignment wins over none, if both are by the service',
    { looks: { 1: ANN_S_LOOK } },
    { identity: 2, looks: { 1: ANN_S_LOOK } },
    { label: 'Bea', decidedBy: 'automatic', reviewStatus: 'confirmed' },
  ],
  [
    'an assignment by the service stays beside another one by the service',
    { identity: 1, looks: { 1: ANN_S_LOOK } },
    { identity: 2, looks: { 1: ANN_S_LOOK } },
    { label: 'Ann' },
  ],
  [
    'a rejection in the archive wins over an assignment by the service',
    { identity: 1, looks: { 1: ANN_S_LOOK } },
    { rejected_from: [{ identity: 1, is_latest: false, rejected_at: AT }] },
    { label: null, reviewStatus: 'pending', decidedBy: 'automatic' },
  ],
  [
    'a rejection here wins over a person in the archive',
    { rejected_from: [{ identity: 2, is_latest: false, rejected_at: AT }] },
    { ...HUMAN, identity: 2, looks: { 1: ANN_S_LOOK } },
    { label: null },
  ],
  [
    'what was dismissed in the archive is dismissed',
    { looks: { 1: ANN_S_LOOK } },
    { looks: { 1: ANN_S_LOOK }, dismissed_at: AT },
    { label: null, dismissedAt: new Date(AT) },
  ],
  [
    'what a person opened again in the archive is a reference no more',
    { identity: 1, looks: { 1: ANN_S_LOOK } },
    { ...HUMAN, identity: 1, review_status: 'pending', looks: { 1: ANN_S_LOOK } },
    { label: 'Ann', reviewStatus: 'pending', decidedBy: 'human' },
  ],
])('%s', async (...[, here, there, expected]) => {
  await importOf(withFaces(here));
  await home.events();
  const counts = await importOf(withFaces(there));
  expect(counts).toMatchObject({ detectionsCreated: 0, skipped: 2 });
  const { detections, references } = await rows();
  expect(detections).toHaveLength(1);
  expect(detections[0]).toMatchObject(expected);
  const [{ id, identityId, reviewStatus }] = detections as [(typeof detections)[number]];
  const isEnrolled = reviewStatus === 'confirmed';
  expect(references).toMatchObject(isEnrolled ? [{ detectionId: id, identityId }] : []);
});

test('what is already there gets what it lacks, and nothing else', async () => {
  await importOf(withFaces({ identity: 1, is_cover: true, looks: { 1: ANN_S_LOOK } }, {}));
  const before = await rows();
  const counts = await importOf({
    models: [ACTIVE, OTHER],
    identities: [{ label: 'Ann', external_ref: 'ann' }, { label: 'Bea' }],
    images: [
      {
        external_ref: 'photo',
        detections: [
          {
            bbox: { x: 2, y: 0, w: 50, h: 50 },
            identity: 1,
            looks: { 2: Float32Array.of(0, 0.6, 0.8) },
          },
          { bbox: { x: 300, y: 0, w: 50, h: 50 }, identity: 1, is_cover: true },
        ],
      },
    ],
  });
  expect(counts).toMatchObject({
    identitiesMerged: 2,
    detectionsCreated: 1,
    embeddingsCreated: 1,
    imagesCreated: 0,
    skipped: 2,
  });
  const { images, identities, references, detections } = await rows();
  expect(images[0]!.externalRef).toBe('photo');
  expect(detections[0]).toEqual(before.detections[0]);
  expect(identities[0]).toMatchObject({
    label: 'Ann',
    externalRef: 'ann',
    coverDetectionId: before.identities[0]!.coverDetectionId,
  });
  expect(references.map(({ detectionId }) => detectionId)).toEqual([
    detections[0]!.id,
    detections[0]!.id,
  ]);
});

test.each<[string, SampleDetection, string | null]>([
  ['the service gives an identity no second face of an image', {}, null],
  ['a person does', HUMAN, 'Ann'],
])('where boxes differ: %s', async (...[, by, label]) => {
  await importOf(withFaces({ identity: 1, is_cover: true, looks: { 1: ANN_S_LOOK } }));
  const elsewhere = { x: 300, y: 0, w: 50, h: 50 };
  const archive = withFaces({ ...by, bbox: elsewhere, identity: 1, looks: { 1: ANN_S_LOOK } });
  expect(await importOf(archive)).toMatchObject({
    detectionsCreated: 1,
    embeddingsCreated: label === null ? 0 : 1,
  });
  const before = await rows();
  expect(before.detections).toMatchObject([{ label: 'Ann' }, { label }]);
  expect(before.references).toHaveLength(label === null ? 1 : 2);
  expect(await importOf(archive)).toMatchObject({ detectionsCreated: 0, embeddingsCreated: 0 });
  expect(await rows()).toEqual(before);
});

test('an object is there as often as the archive has it', async () => {
  const dog = { type: 'object', class_name: 'dog', class_id: 16, identity: 1 } as const;
  const archiveOf = (x: number): SampleArchive => ({
    identities: [{ label: 'dog', type: 'object' }],
    images: [{ detections: [{ ...dog, bbox: { x, y: 0, w: 50, h: 50 } }] }],
  });
  await importOf(archiveOf(0));
  await importOf(archiveOf(300));
  expect((await rows()).detections).toMatchObject([{ label: 'dog' }, { label: 'dog' }]);
});

test('an external reference of an empty text is none', async () => {
  const archiveOf = (external_ref: string): SampleArchive => ({
    identities: [{ label: 'Ann', external_ref }],
    images: [{ external_ref }],
  });
  await importOf(archiveOf(''));
  const { images, identities } = await rows();
  expect([...images, ...identities]).toMatchObject([{ externalRef: null }, { externalRef: null }]);
  await importOf(archiveOf('a'));
  const later = await rows();
  expect([...later.images, ...later.identities]).toMatchObject([
    { externalRef: 'a' },
    { externalRef: 'a' },
  ]);
  await importOf(archiveOf(''));
  expect(await rows()).toEqual(later);
});

test('faces without a vector of the active model get it by a job', async () => {
  const look = Float32Array.of(0, 0.6, 0.8);
  await importOf({ ...withFaces({ identity: 1, looks: { 1: look } }, {}), models: [OTHER] });
  const jobs = await fixture.store.query<{ params: object }>(
    `SELECT params FROM jobs WHERE environment_id = $1 AND type = 'reembed' ORDER BY id`,
    [home.scope.environmentId],
  );
  const modelId = fixture.store.faceModelId;
  expect(jobs.map(({ params }) => params)).toEqual([{ modelId, faces: 'enrolled' }]);
});

test('a face with implausible landmarks gets its vector by a job, whatever the archive has', async () => {
  const upsideDown = [30, 32, 31, 20, 22].map((y, i) => ({ x: 10 + i, y }));
  const archive = withFaces({ landmarks: upsideDown, identity: 1, looks: { 1: ANN_S_LOOK } });
  expect(await importOf(archive)).toMatchObject({ embeddingsCreated: 0, embeddingsDropped: 1 });
  const { detections } = await rows();
  expect(detections).toMatchObject([{ landmarks: upsideDown, embeddingSource: null }]);
  const vectors = 'SELECT FROM face_vectors WHERE environment_id = $1';
  expect(await fixture.store.query(vectors, [home.scope.environmentId])).toEqual([]);
  const jobs = await fixture.store.query('SELECT type, total FROM jobs WHERE environment_id = $1', [
    home.scope.environmentId,
  ]);
  expect(jobs).toMatchObject([{ type: 'reembed', total: 1 }]);
});

test('they get it while the import goes on', async () => {
  const looks = { 1: Float32Array.of(0, 0.6, 0.8) };
  const images = Array.from({ length: 5 }, () => ({ detections: [{ identity: 1, looks }] }));
  const isBehind: boolean[] = [];
  await importOf(
    { ...withFaces(), models: [OTHER], images },
    {
      report: async () => {
        const { database, faceModelId } = fixture.store;
        isBehind.push(
          await database.withScope(home.scope, ({ gallery }) => gallery.isBehind(faceModelId)),
        );
      },
    },
  );
  expect([isBehind[0], isBehind.at(-1)]).toEqual([false, true]);
  // There is still one job at the end, with all five images: the one that the import created with its first image.
  const jobs = await fixture.store.query<{ total: number }>(
    `SELECT total FROM jobs WHERE environment_id = $1 AND type = 'reembed'`,
    [home.scope.environmentId],
  );
  expect(jobs).toEqual([{ total: 5 }]);
});

test('they get it, too, if the import is broken off', async () => {
  const look = Float32Array.of(0, 0.6, 0.8);
  const images = Array.from({ length: 9 }, () => ({ detections: [{ looks: { 1: look } }] }));
  let stored = 0;
  const importing = importOf(
    { ...withFaces(), models: [OTHER], images },
    { check: () => (++stored < 9 ? Promise.resolve() : Promise.reject(new Error('gone'))) },
  );
  await expect(importing).rejects.toThrow('gone');
  const jobs = await fixture.store.query(
    `SELECT id FROM jobs WHERE environment_id = $1 AND type = 'reembed'`,
    [home.scope.environmentId],
  );
  expect(jobs).toHaveLength(1);
  await collectOrphans(fixture.store, 0);
});

test('a model that makes longer vectors here is another one, and nothing is stored', async () => {
  const archive = withFaces({ looks: { 1: Float32Array.of(1, 0, 0) } });
  await expect(
    importOf({ ...archive, models: [{ ...ACTIVE, embedding_dim: 3 }] }),
  ).rejects.toMatchObject({ code: 'archive_invalid' });
  expect(await rows()).toMatchObject({ images: [], identities: [] });
  expect(await home.events()).toEqual([]);
});

test('an unsound archive leaves nothing', async () => {
  const files = sampleFiles(withFaces({ identity: 1, looks: { 1: ANN_S_LOOK } }));
  files.set('crops/1.jpg', Buffer.from('no crop'));
  const file = localFileOf(await zipOf(files));
  const { database, media, models } = fixture.store;
  const importing = importArchive(
    { database, media, modelStore: models, archives: zipArchiveReader },
    { scope: home.scope, file },
  );
  await expect(importing).rejects.toMatchObject({ facts: { entry: 'crops/1.jpg' } });
  expect(await rows()).toMatchObject({ images: [], identities: [] });
  expect(await fixture.store.files(home.scope)).toEqual([]);
  expect(await home.events()).toEqual([]);
});

test('many images at once create each identity once', async () => {
  const images = Array.from({ length: 40 }, (_, i) => ({
    detections: [{ identity: (i % 3) + 1, looks: { 1: direction(i) } }],
  }));
  const archive = { ...withFaces(), images };
  expect(await importOf(archive)).toMatchObject({
    identitiesCreated: 3,
    imagesCreated: 40,
    embeddingsCreated: 40,
  });
  const { identities } = await rows();
  expect(identities.map(({ label }) => label)).toEqual(['Ann', 'Bea', 'Cem']);
});
