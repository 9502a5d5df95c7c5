import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Transaction } from '@sightline/core/database/database';
import type { Detection, NewDetection } from '@sightline/core/detections/detection';
import type { SourceImage } from '@sightline/core/sources/source-image';
import type { Scope } from '@sightline/core/store/scope';
import { sampleFace, sampleObject, sampleSource } from '../../support/fixtures/sample-records.ts';
import { direction, type SeededEnvironment } from '../../support/fixtures/seeded-environment.ts';
import { openStoreFixture, type StoreFixture } from '../../support/fixtures/store-fixture.ts';
import { storedEmbeddings } from '../../support/fixtures/stored-embeddings.ts';

let store: StoreFixture;
let home: SeededEnvironment;
let scope: Scope;
let source: SourceImage;
let ada: number;
let bo: number;

beforeAll(async () => {
  store = await openStoreFixture();
});

beforeEach(async () => {
  home = await store.environment();
  ({ scope } = home);
  ada = await home.identity('Ada');
  bo = await home.identity('Bo');
  const given = sampleSource(scope);
  source = await write((tx) => tx.sources.insert(given));
});

afterAll(async () => {
  await store[Symbol.asyncDispose]();
});

function write<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
  return store.database.withEntities({ ...scope, locks: [] }, work);
}

function insert(...detections: NewDetection[]): Promise<readonly number[]> {
  return write((tx) => tx.detections.insert(source, detections));
}

async function insertOne(detection: NewDetection): Promise<Detection> {
  const [id] = await insert(detection);
  return (await home.detection(id!))!;
}

/** Returns the members that a reader sees. */
function visible(detection: NewDetection): Partial<NewDetection> {
  return Object.fromEntries(
    Object.entries(detection).filter(([name]) => name !== 'cropBytes' && name !== 'embedding'),
  );
}

function rejections(...detectionIds: number[]) {
  return store.database.withScope(scope, ({ gallery }) => gallery.rejections(detectionIds));
}

function reject(detectionId: number, identityId: number): Promise<unknown> {
  return store.query(
    'INSERT INTO rejected_pairs (environment_id, detection_id, identity_id) VALUES ($1, $2, $3)',
    [scope.environmentId, detectionId, identityId],
  );
}

describe('stored detections', () => {
  test('are read with every field, to the last digit', async () => {
    const face = sampleFace(scope, {
      bbox: { x: -0.1, y: 1 / 3, w: 1e-7, h: 1e5 / 7 },
      confidence: 0.1 + 0.2,
      quality: Number.MIN_VALUE,
      landmarks: Array.from({ length: 5 }, (_, i) => ({ x: i / 3, y: -(i + 1) / 7 })),
      identityId: ada,
      similarity: -1 / 9,
      reviewStatus: 'confirmed',
      decidedBy: 'human',
      isManual: true,
      embeddingSource: 'box',
      age: 41,
      gender: 'F',
      pose: [-1.5, 2 / 3, 179.99],
      turned: 270,
    });
    const object = sampleObject(scope, { className: 'wine glass', classId: 40 });
    const [first, second] = await insert(face, object);
    expect(await home.detection(first!)).toEqual({
      ...visible(face),
      id: first,
      sourceImageId: source.id,
      label: 'Ada',
      dismissedAt: null,
      mismatchReviewed: false,
      detectedAt: expect.any(Date),
    });
    expect(await home.detection(second!)).toMatchObject({ ...visible(object), label: null });
  });

  test('are turned by quarter turns only', async () => {
    const [id] = await insert(sampleFace(scope));
    const turn = (degrees: number) =>
      store.query('UPDATE detections SET turned = $2 WHERE id = $1', [id, degrees]);
    await turn(180);
    await expect(turn(45)).rejects.toThrow('detections_turned');
  });

  test('have ids in the order in which they were given', async () => {
    // One statement cannot insert this number of rows.
    const given = Array.from({ length: 2500 }, (_, i) =>
      sampleFace(scope, { confidence: i / 2500 }),
    );
    const ids = await insert(...given);
    const found = await store.database.withScope(scope, (stores) => stores.detections.byIds(ids));
    const byId = new Map(found.map((detection) => [detection.id, detection]));
    expect(ids.map((id) => byId.get(id)!.cropKey)).toEqual(given.map(({ cropKey }) => cropKey));
    expect(found.map(({ id }) => id)).toEqual([...ids].sort((a, b) => a - b));
  });

  test('are found by source and by identity, ascending', async () => {
    const ids = await insert(
      sampleFace(scope, { identityId: ada }),
      sampleFace(scope),
      sampleFace(scope, { identityId: ada }),
      sampleFace(scope, { identityId: bo }),
    );
    const elsewhere = await home.photo([{ identityId: ada }]);
    await store.database.withScope(scope, async ({ detections }) => {
      const idsOf = (found: readonly Detection[]) => found.map(({ id }) => id);
      expect(idsOf(await detections.ofSource(source.id))).toEqual(ids);
      expect(await detections.ofSource(999_999)).toEqual([]);
      expect(idsOf(await detections.ofIdentity(ada, 10))).toEqual([
        ids[0],
        ids[2],
        ...elsewhere.ids,
      ]);
      expect(idsOf(await detections.ofIdentity(ada, 2))).toEqual([ids[0], ids[2]]);
      expect(await detections.ofIdentity(999_999, 2)).toEqual([]);
      expect(idsOf(await detections.byIds([ids[3]!, 999_999, ids[1]!]))).toEqual([ids[1], ids[3]]);
      expect(await detections.byIds([])).toEqual([]);
    });
  });

  test('of another environment are not found', async () => {
    const [id] = await insert(sampleFace(scope, { identityId: ada }));
    const other = (await store.environment()).scope;
    await store.database.withScope(other, async ({ detections }) => {
      expect(await detections.byId(id!)).toBeNull();
      expect(await detections.byIds([id!])).toEqual([]);
      expect(await detections.ofSource(source.id)).toEqual([]);
      expect(await detections.ofIdentity(ada, 10)).toEqual([]);
    });
  });

  test('cannot be of an identity of another environment', async () => {
    const stranger = await (await store.environment()).identity('Ada');
    await expect(insert(sampleFace(scope, { identityId: stranger }))).rejects.toThrow();
  });

  test('without any, nothing is stored', async () => {
    expect(await insert()).toEqual([]);
  });
});

test('a decision is stored, and ends a dismissal', async () => {
  const face = await insertOne(sampleFace(scope, { identityId: ada, similarity: 0.7 }));
  await store.query('UPDATE detections SET dismissed_at = now() WHERE id = $1', [face.id]);
  const decision = {
    identityId: bo,
    similarity: 0.25,
    reviewStatus: 'confirmed',
    decidedBy: 'human',
  } as const;
  await write((tx) => tx.detections.decide([{ detection: face, decision }]));
  expect(await home.detection(face.id)).toEqual({ ...face, ...decision, label: 'Bo' });

  const again = { ...decision, similarity: 0.5, keepsDismissal: true } as const;
  await home.change(face.id, 'dismissed_at = now(), mismatch_reviewed = true');
  const detection = { ...face, identityId: bo };
  await write((tx) => tx.detections.decide([{ detection, decision: again }]));
  const kept = await home.detection(face.id);
  expect(kept).toMatchObject({ similarity: 0.5, mismatchReviewed: true });
  expect(kept!.dismissedAt).not.toBeNull();

  const unassigned = { identityId: null, similarity: null, reviewStatus: 'rejected' } as const;
  const rejected = { ...unassigned, decidedBy: 'human' } as const;
  const other = await insertOne(sampleFace(scope));
  await write((tx) =>
    tx.detections.decide([
      { detection: other, decision },
      { detection: face, decision: rejected },
    ]),
  );
  expect(await home.detection(other.id)).toMatchObject(decision);
  expect(await home.detection(face.id)).toMatchObject({
    ...unassigned,
    label: null,
    mismatchReviewed: false,
  });
});

test('detections are dismissed, from the review queue and from the mismatches', async () => {
  const [first, second] = await insert(sampleFace(scope), sampleFace(scope));
  await write((tx) => tx.detections.dismiss([first!]));
  await write((tx) => tx.detections.dismissMismatches([second!]));
  const [queued, mismatched] = [await home.detection(first!), await home.detection(second!)];
  expect([queued!.dismissedAt !== null, queued!.mismatchReviewed]).toEqual([true, false]);
  expect([mismatched!.dismissedAt, mismatched!.mismatchReviewed]).toEqual([null, true]);
});

test('a face has one latest rejection, which may be without an identity', async () => {
  const [id, other] = await insert(sampleFace(scope), sampleFace(scope));
  const rejectedFrom = async (identityId: number | null) => {
    await write((tx) =>
      tx.detections.reject([
        { detectionId: other!, identityId: bo },
        { detectionId: id!, identityId },
      ]),
    );
    const [face] = await store.database.withScope(scope, ({ faceRecords }) =>
      faceRecords.byIds([id!], null),
    );
    const latest = face!.rejections.filter(({ isLatest }) => isLatest);
    return [face!.rejections.length, latest.map(({ identityId }) => identityId)];
  };
  expect(await rejectedFrom(ada)).toEqual([1, [ada]]);
  expect(await rejectedFrom(bo)).toEqual([2, [bo]]);
  expect(await rejectedFrom(ada)).toEqual([2, [ada]]);
  expect(await rejectedFrom(null)).toEqual([2, []]);
});

test('an identity loses its cover to the detection that leaves it', async () => {
  const [cover, other] = await insert(
    sampleFace(scope, { identityId: ada }),
    sampleFace(scope, { identityId: ada }),
  );
  await write((tx) => tx.identities.setCover(ada, cover!));
  const drop = (...detectionIds: readonly number[]) =>
    write((tx) =>
      tx.identities.dropCovers(
        detectionIds.map((detectionId) => ({ identityId: ada, detectionId })),
      ),
    );
  expect(await drop(other!)).toEqual([]);
  expect(await drop(other!, cover!)).toEqual([cover]);
  expect(await drop(cover!)).toEqual([]);
});

describe('embeddings', () => {
  const embeddings = (modelId: number, ...ids: number[]) => storedEmbeddings(store, modelId, ids);

  test('are stored with the detections, to the last bit', async () => {
    const vector = Float32Array.of(1 / 3, -Math.sqrt(8) / 3);
    const embedding = { modelId: store.faceModelId, vector };
    // The vector is a view into a longer buffer, as the engine returns it.
    const shifted = new Float32Array(new ArrayBuffer(20), 4, 2);
    shifted.set(vector);
    const ids = await insert(
      sampleFace(scope, { embedding }),
      sampleFace(scope),
      sampleFace(scope, { embedding: { ...embedding, vector: shifted } }),
    );
    expect(await embeddings(store.faceModelId, ...ids)).toEqual([
      { detectionId: ids[0], vector },
      { detectionId: ids[2], vector },
    ]);
    expect(await embeddings(store.retiredFaceModelId, ...ids)).toEqual([]);
    expect(await embeddings(store.faceModelId)).toEqual([]);
  });

  test('are added if there are none', async () => {
    const embedding = { modelId: store.faceModelId, vector: direction(0) };
    const [old, fresh] = await insert(sampleFace(scope, { embedding }), sampleFace(scope));
    await write(async (tx) => {
      await tx.detections.addEmbeddings(store.faceModelId, []);
      await tx.detections.addEmbeddings(store.faceModelId, [
        { detectionId: old!, vector: direction(90) },
        { detectionId: fresh!, vector: direction(45) },
      ]);
    });
    expect(await embeddings(store.faceModelId, old!, fresh!)).toEqual([
      { detectionId: old, vector: direction(0) },
      { detectionId: fresh, vector: direction(45) },
    ]);
  });
});

describe('deleting', () => {
  test('deletes embeddings, suggestions and rejections', async () => {
    const embedding = { modelId: store.faceModelId, vector: direction(0) };
    const face = await insertOne(sampleFace(scope, { embedding }));
    const [stays] = await insert(sampleFace(scope, { embedding }));
    await reject(face.id, ada);
    await write((tx) =>
      tx.suggestions.replace(store.faceModelId, [
        { detectionId: face.id, candidates: [{ identityId: bo, similarity: 0.4 }] },
      ]),
    );
    await write(async (tx) => {
      await tx.detections.delete([]);
      await tx.detections.delete([face]);
    });
    const left = await store.query<{ detection_id: number }>(
      `SELECT detection_id FROM face_vectors WHERE environment_id = $1
       UNION ALL SELECT detection_id FROM suggestions WHERE environment_id = $1
       UNION ALL SELECT detection_id FROM rejected_pairs WHERE environment_id = $1
       UNION ALL SELECT id FROM detections WHERE environment_id = $1`,
      [scope.environmentId],
    );
    expect(left.map((row) => row.detection_id)).toEqual([stays, stays]);
  });

  test('is refused while the detection has a reference', async () => {
    const { ids } = await home.photo([
      {
        identityId: ada,
        reviewStatus: 'confirmed',
        embedding: { modelId: store.faceModelId, vector: direction(0) },
        enrolledBy: [store.faceModelId],
      },
    ]);
    const detection = (await home.detection(ids[0]!))!;
    await expect(write((tx) => tx.detections.delete([detection]))).rejects.toThrow();
  });

  test('does not touch another environment', async () => {
    const face = await insertOne(sampleFace(scope));
    const other = (await store.environment()).scope;
    await store.database.withEntities({ ...other, locks: [] }, (tx) =>
      tx.detections.delete([face]),
    );
    expect(await home.detection(face.id)).toEqual(face);
  });
});

describe('rejections', () => {
  test('are inherited in their order, and removed one by one', async () => {
    const [old, heir, unrelated] = await insert(
      sampleFace(scope),
      sampleFace(scope),
      sampleFace(scope),
    );
    await reject(old!, bo);
    await reject(old!, ada);
    await reject(heir!, bo);
    await write(async (tx) => {
      await tx.detections.inheritRejections([]);
      await tx.detections.inheritRejections([
        { from: old!, to: heir! },
        { from: unrelated!, to: old! },
      ]);
    });
    const last = await store.query<{ identity_id: number }>(
      'SELECT identity_id FROM rejected_pairs WHERE detection_id = $1 ORDER BY sequence',
      [heir],
    );
    expect(last.map((row) => row.identity_id)).toEqual([bo, ada]);
    expect(await rejections(unrelated!)).toEqual([]);

    const forgotten = [
      { detectionId: heir!, identityId: ada },
      { detectionId: unrelated!, identityId: bo },
    ];
    await write((tx) => tx.detections.forgetRejections(forgotten));
    expect(await rejections(heir!)).toEqual([{ detectionId: heir, identityId: bo }]);
    expect(await rejections(old!)).toHaveLength(2);
    expect(await rejections()).toEqual([]);
  });
});
