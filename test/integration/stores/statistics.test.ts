import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Transaction } from '@sightline/core/database/database';
import type { Detection, NewDetection } from '@sightline/core/detections/detection';
import type { SourceImage } from '@sightline/core/sources/source-image';
import type { Statistics } from '@sightline/core/statistics/statistics-store';
import type { Scope } from '@sightline/core/store/scope';
import fc from 'fast-check';
import { sampleFace, sampleObject, sampleSource } from '../../support/fixtures/sample-records.ts';
import { direction, type SeededEnvironment } from '../../support/fixtures/seeded-environment.ts';
import { openStoreFixture, type StoreFixture } from '../../support/fixtures/store-fixture.ts';

let store: StoreFixture;
let home: SeededEnvironment;
let scope: Scope;

beforeAll(async () => {
  store = await openStoreFixture();
});

beforeEach(async () => {
  home = await store.environment();
  ({ scope } = home);
});

afterAll(async () => {
  await store[Symbol.asyncDispose]();
});

function write<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
  return store.database.withEntities({ ...scope, locks: [] }, work);
}

const totals = (within = scope): Promise<Statistics> =>
  store.database.withScope(within, ({ statistics }) => statistics.totals());

const EMPTY: Statistics = {
  faceIdentities: 0,
  objectIdentities: 0,
  faceDetections: 0,
  objectDetections: 0,
  sourceImages: 0,
  pendingReview: 0,
  storageBytes: 0,
  setAsideBytes: 0,
};

test('a new environment holds nothing', async () => {
  expect(await totals()).toEqual(EMPTY);
});

test('everything that is stored is counted, in its own environment', async () => {
  const other = (await store.environment()).scope;
  await home.identity('Ada');
  await home.identity('bicycle', 'object');
  const originalKey = `${scope.environmentId}/originals/kept`;
  const image = sampleSource(scope, { mediaBytes: 700, sizeBytes: 5000, originalKey });
  const source = await write((tx) => tx.sources.insert(image));
  const crops = [
    sampleFace(scope, { cropBytes: 30 }),
    sampleFace(scope, { cropBytes: 31, reviewStatus: 'rejected' }),
    sampleObject(scope, { cropBytes: 32 }),
  ];
  await write((tx) => tx.detections.insert(source, crops));
  expect(await totals()).toEqual({
    faceIdentities: 1,
    objectIdentities: 1,
    faceDetections: 2,
    objectDetections: 1,
    sourceImages: 1,
    pendingReview: 1,
    setAsideBytes: 0,
    storageBytes: 700 + 5000 + 30 + 31 + 32,
  });
  expect(await totals(other)).toEqual(EMPTY);
});

describe('while identities are being deleted', () => {
  let ada: number;
  let bicycle: number;

  beforeEach(async () => {
    ada = await home.identity('Ada');
    bicycle = await home.identity('bicycle', 'object');
    await write(async (tx) => {
      const source = await tx.sources.insert(sampleSource(scope));
      await tx.detections.insert(source, [
        sampleFace(scope, { identityId: ada }),
        sampleFace(scope, { identityId: ada, reviewStatus: 'confirmed' }),
        sampleFace(scope),
        sampleObject(scope, { identityId: bicycle }),
      ]);
    });
  });

  /** Returns the number of detections according to the list of images. */
  const listedDetections = async (): Promise<number> => {
    const page = { order: 'newest', after: null, limit: 10 } as const;
    const { items } = await store.database.withScope(scope, ({ sources }) =>
      sources.list({}, page),
    );
    return items.reduce((sum, { detectionCount }) => sum + detectionCount, 0);
  };

  test('what is deleted with one counts no more, but has its size', async () => {
    const before = await totals();
    await store.query('UPDATE identities SET deleting_since = now() WHERE id = any($1)', [
      [ada, bicycle],
    ]);
    expect(await totals()).toEqual({
      ...before,
      faceIdentities: 0,
      objectIdentities: 0,
      faceDetections: 1,
      objectDetections: 0,
      pendingReview: 1,
    });
    // Images count the detections until their step.
    expect(await listedDetections()).toBe(4);
    await store.maintenance.foldCounters();
    expect(await totals()).toMatchObject({ faceDetections: 1, pendingReview: 1 });
  });

  test('what merges into another counts on', async () => {
    const before = await totals();
    const target = await home.identity('Ada Lovelace');
    await store.query(
      'UPDATE identities SET deleting_since = now(), merged_into = $1 WHERE id = $2',
      [target, ada],
    );
    expect(await totals()).toEqual(before);
    expect(await listedDetections()).toBe(4);
  });
});

/** Counts directly in the tables. */
async function plainCounts(): Promise<Statistics> {
  const [row] = await store.query<Statistics>(
    `WITH i AS (SELECT * FROM identities WHERE environment_id = $1),
          d AS (SELECT * FROM detections WHERE environment_id = $1),
          s AS (SELECT * FROM source_images WHERE environment_id = $1)
     SELECT (SELECT count(*) FROM i WHERE type = 'face') AS "faceIdentities",
            (SELECT count(*) FROM i WHERE type = 'object') AS "objectIdentities",
            (SELECT count(*) FROM d WHERE type = 'face') AS "faceDetections",
            (SELECT count(*) FROM d WHERE type = 'object') AS "objectDetections",
            (SELECT count(*) FROM s) AS "sourceImages",
            (SELECT count(*) FROM d WHERE type = 'face' AND review_status = 'pending'
               AND dismissed_at IS NULL) AS "pendingReview",
            (SELECT coalesce(sum(media_bytes), 0) FROM s)::bigint
              + (SELECT coalesce(sum(crop_bytes), 0) FROM d)::bigint AS "storageBytes",
            0 AS "setAsideBytes"`,
    [scope.environmentId],
  );
  return row!;
}

type Operation =
  | {
      readonly do: 'detect';
      readonly faces: number;
      readonly objects: number;
      readonly who: number;
    }
  | { readonly do: 'decide' | 'dismiss' | 'delete'; readonly which: number; readonly who: number }
  | { readonly do: 'fold' };

const who = fc.nat({ max: 3 });
const operation: fc.Arbitrary<Operation> = fc.oneof(
  fc.record({
    do: fc.constant('detect' as const),
    faces: fc.nat({ max: 3 }),
    objects: fc.nat({ max: 2 }),
    who,
  }),
  fc.record({
    do: fc.constantFrom('decide' as const, 'dismiss' as const, 'delete' as const),
    which: fc.nat({ max: 20 }),
    who,
  }),
  fc.record({ do: fc.constant('fold' as const) }),
);

test('after any operations the counts are those of the tables', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 5, maxLength: 30 }), async (operations) => {
      home = await store.environment();
      ({ scope } = home);
      const identityIds = [await home.identity('Ada'), await home.identity('Bo')];
      for (const step of operations) await apply(step, identityIds);
      expect(await totals()).toEqual(await plainCounts());
      for (const id of identityIds) await expectDetails(id);
    }),
    { numRuns: 12 },
  );
  expect(await store.maintenance.contradictions()).toEqual([]);
});

async function apply(step: Operation, identityIds: readonly number[]): Promise<void> {
  if (step.do === 'fold') {
    await store.maintenance.foldCounters();
    return;
  }
  const identityId = identityIds[step.who] ?? null;
  if (step.do === 'detect') {
    await detect(step, identityId);
    return;
  }
  const detections = await allDetections();
  const detection = detections[step.which % Math.max(1, detections.length)];
  if (detection === undefined) return;
  if (step.do === 'delete') await write((tx) => tx.detections.delete([detection]));
  else if (step.do === 'dismiss') {
    await store.query('UPDATE detections SET dismissed_at = now() WHERE id = $1', [detection.id]);
  } else if (detection.type === 'face') {
    const reviewStatus = identityId === null ? 'rejected' : 'confirmed';
    const decision = { identityId, similarity: null, reviewStatus, decidedBy: 'human' } as const;
    await write((tx) => tx.detections.decide([{ detection, decision }]));
  }
}

async function detect(
  { faces, objects }: { readonly faces: number; readonly objects: number },
  identityId: number | null,
): Promise<void> {
  const image = sampleSource(scope);
  const found: NewDetection[] = [
    ...Array.from({ length: faces }, () => sampleFace(scope, { identityId })),
    ...Array.from({ length: objects }, () => sampleObject(scope)),
  ];
  await write(async (tx) => {
    const source: SourceImage = await tx.sources.insert(image);
    await tx.detections.insert(source, found);
  });
}

async function allDetections(): Promise<readonly Detection[]> {
  const rows = await store.query<{ id: number }>(
    'SELECT id FROM detections WHERE environment_id = $1',
    [scope.environmentId],
  );
  const ids = rows.map(({ id }) => id);
  return store.database.withScope(scope, ({ detections }) => detections.byIds(ids));
}

async function expectDetails(id: number): Promise<void> {
  const details = await store.database.withScope(scope, ({ identities }) =>
    identities.details(id, store.faceModelId),
  );
  const [plain] = await store.query<{ detections: number; pending: number }>(
    `SELECT count(*) AS detections,
            count(*) FILTER (WHERE review_status = 'pending' AND dismissed_at IS NULL) AS pending
     FROM detections WHERE identity_id = $1`,
    [id],
  );
  expect(details).toMatchObject({
    detectionCount: plain!.detections,
    pendingReviewCount: plain!.pending,
  });
}

test('a face that another model enrolls, too, was enrolled on the day of its first reference', async () => {
  const ada = await home.identity('Ada');
  const modelId = store.faceModelId;
  const embedding = { modelId, vector: direction(0) };
  const { ids } = await home.photo([{ identityId: ada, embedding, enrolledBy: [modelId] }]);
  const [detectionId] = ids;
  const days = () => store.database.withScope(scope, ({ statistics }) => statistics.days(1));
  const counts = { images: 1, faces: 1, confirmedHuman: 1, enrolled: 1 };
  expect(await days()).toMatchObject([counts]);
  await home.embed(detectionId!, store.retiredFaceModelId, direction(0));
  await write((tx) =>
    tx.references.enroll([
      { identityId: ada, detectionId: detectionId!, modelId: store.retiredFaceModelId },
    ]),
  );
  expect(await days()).toMatchObject([counts]);
});
