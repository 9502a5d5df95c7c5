import { beforeEach, describe, expect, test } from '@jest/globals';
import { analyzedObject } from '@sightline/core/analysis/testing/fake-analyzer';
import { FACE_MODEL, OBJECT_MODEL } from '@sightline/core/models/testing/sample-models';
import { ImageCorrupt } from '@sightline/core/sources/image-errors';
import {
  aroundRecognition,
  boxAt,
  faceAt,
  lost,
  type RecognitionFixture,
  visitor,
} from '../../support/fixtures/recognition-fixture.ts';
import type { SeededEnvironment } from '../../support/fixtures/seeded-environment.ts';
import { storedEmbeddings } from '../../support/fixtures/stored-embeddings.ts';

let fixture: RecognitionFixture;
let home: SeededEnvironment;
let guest: ReturnType<typeof visitor>;

aroundRecognition((turn) => {
  ({ fixture, home, guest } = turn);
  fixture.analyzer.models = [FACE_MODEL, OBJECT_MODEL];
});

async function set(key: string, value: unknown): Promise<void> {
  await fixture.store.database.withEntities(
    { ...home.scope, locks: [{ entity: 'environment' }] },
    (tx) => tx.settings.put(key, value),
  );
}

const totals = () =>
  fixture.store.database.withScope(home.scope, ({ statistics }) => statistics.totals());

describe('a photo that was never seen', () => {
  test('is stored with its faces, their crops and embeddings', async () => {
    fixture.scenes.set('new', {
      faces: [faceAt(0, { bbox: boxAt(0) }), faceAt(90, { bbox: boxAt(1), confidence: 0.7 })],
    });
    const { source, reused, faces, objects, models } = await guest.detect('new', {
      externalRef: 'album/1',
    });
    expect(reused).toBe(false);
    expect(source).toMatchObject({ width: 100, height: 100, externalRef: 'album/1', sizeBytes: 3 });
    expect(models).toMatchObject({ faces: { name: 'faces' }, objects: null });
    expect(objects).toEqual([]);
    expect(faces).toMatchObject([
      {
        created: true,
        enrolled: false,
        suggestions: [],
        detection: {
          sourceImageId: source.id,
          bbox: boxAt(0),
          confidence: 0.9,
          identityId: null,
          label: null,
          similarity: null,
          reviewStatus: 'pending',
          decidedBy: 'automatic',
          isManual: false,
          age: 30,
        },
      },
      { created: true, detection: { bbox: boxAt(1), confidence: 0.7 } },
    ]);
    const files = await fixture.store.files(home.scope);
    expect(new Set(files)).toEqual(
      new Set([source.mediaKey, ...faces.map(({ detection }) => detection.cropKey)]),
    );
    const ids = faces.map(({ detection }) => detection.id);
    const vectors = await storedEmbeddings(fixture.store, models.faces!.id, ids);
    expect(new Set(vectors.map(({ detectionId }) => detectionId))).toEqual(new Set(ids));
    expect(await home.events()).toEqual(
      ids.map((id) => ({
        event: 'detection.created',
        data: { detection_id: id, type: 'face', identity_id: null, external_ref: 'album/1' },
      })),
    );
    expect(await totals()).toMatchObject({ faceDetections: 2, sourceImages: 1, pendingReview: 2 });
  });

  test('is stored without any face', async () => {
    const { source, faces } = await guest.detect('landscape');
    expect(faces).toEqual([]);
    expect(await fixture.store.files(home.scope)).toEqual([source.mediaKey]);
    expect(await home.events()).toEqual([]);
  });

  test('keeps the given bytes if the settings say so', async () => {
    await fixture.store.systemSettings.put('system.keep_originals', true);
    try {
      const { source } = await guest.detect('kept as it is');
      const object = await fixture.store.media.open(source.originalKey!);
      expect(await new Response(object!.body).text()).toBe('kept as it is');
    } finally {
      await fixture.store.systemSettings.put('system.keep_originals', null);
    }
  });

  test('belongs to its environment alone', async () => {
    fixture.scenes.set('shared', { faces: [faceAt(0)] });
    const neighbor = visitor(fixture.process(), await fixture.store.environment());
    await neighbor.enroll('shared', 'Ann');
    const { reused, faces } = await guest.detect('shared');
    expect(reused).toBe(false);
    expect(faces[0]).toMatchObject({ detection: { identityId: null, similarity: null } });
  });
});

describe('an enrolled person', () => {
  let ann: number;

  beforeEach(async () => {
    fixture.scenes.set('ann', { faces: [faceAt(0)] });
    ann = (await guest.enroll('ann', 'Ann')).identityId;
    await home.events();
  });

  test.each([
    ['best_match', 'the tail'],
    ['best_match', 'the index'],
    ['average', 'the tail'],
    ['average', 'the index'],
  ])('is found by %s in %s', async (strategy, where) => {
    await set('face.match_strategy', strategy);
    if (where === 'the index') await fixture.catchUp();
    fixture.scenes.set('again', { faces: [faceAt(10)] });
    const { faces } = await guest.detect('again');
    expect(faces[0]).toMatchObject({
      enrolled: true,
      suggestions: [],
      detection: { identityId: ann, label: 'Ann', reviewStatus: 'confirmed' },
    });
    expect(faces[0]!.detection.similarity).toBeCloseTo(Math.cos(Math.PI / 18), 6);
    const { id } = faces[0]!.detection;
    const events = await home.events();
    expect(events).toMatchObject([
      { event: 'detection.created', data: { detection_id: id, identity_id: ann } },
      {
        event: 'identity.updated',
        data: { identity_id: ann, action: 'detection_added', detection_id: id },
      },
      {
        event: 'identity.updated',
        data: { identity_id: ann, action: 'embedding_added', detection_id: id },
      },
    ]);
  });

  test('is found by the next request of another process', async () => {
    const other = visitor(fixture.process(), home);
    fixture.scenes.set('again', { faces: [faceAt(10)] });
    expect((await other.detect('again')).faces[0]).toMatchObject({ detection: { label: 'Ann' } });
  });

  test('is pending below the threshold of confirmation, and suggested', async () => {
    fixture.scenes.set('alike', { faces: [faceAt(45)] });
    const { faces } = await guest.detect('alike');
    expect(faces[0]).toMatchObject({
      enrolled: false,
      detection: { identityId: ann, reviewStatus: 'pending' },
      suggestions: [{ identityId: ann, label: 'Ann' }],
    });
    const kept = await fixture.store.database.withScope(home.scope, ({ gallery }) =>
      gallery.suggestions(fixture.store.faceModelId, [faces[0]!.detection.id]),
    );
    expect(kept).toMatchObject([{ identityId: ann }]);
    expect((await home.events()).map(({ data }) => 'action' in data && data.action)).toEqual([
      false,
      'detection_added',
    ]);
  });

  test('stays suggested as the background found out since, whatever another run of the photo finds', async () => {
    fixture.scenes.set('alike', { faces: [faceAt(45)] });
    const { faces } = await guest.detect('alike');
    const { store } = fixture;
    const id = faces[0]!.detection.id;
    await store.query('UPDATE suggestions SET similarity = 0.99 WHERE detection_id = $1', [id]);
    expect((await guest.detect('alike')).faces[0]).toMatchObject({
      created: false,
      suggestions: [{ identityId: ann, similarity: faces[0]!.suggestions[0]!.similarity }],
    });
    expect(
      await store.query('SELECT similarity FROM suggestions WHERE detection_id = $1', [id]),
    ).toEqual([{ similarity: 0.99 }]);
  });

  test('is unknown below the threshold of matching, and suggested a little further', async () => {
    fixture.scenes.set('hardly', {
      faces: [faceAt(65, { bbox: boxAt(0) }), faceAt(80, { bbox: boxAt(1) })],
    });
    const { faces } = await guest.detect('hardly');
    expect(faces).toMatchObject([
      { detection: { identityId: null }, suggestions: [{ identityId: ann }] },
      { detection: { identityId: null }, suggestions: [] },
    ]);
    expect(faces[1]!.detection.similarity).toBeCloseTo(Math.cos((80 * Math.PI) / 180), 6);
  });

  test('is confirmed without a reference below the gate of quality, and with a gate of 0', async () => {
    fixture.scenes.set('blurred', { faces: [faceAt(5, { quality: 0.5 })] });
    fixture.scenes.set('sharp', { faces: [faceAt(5, { quality: 1 })] });
    expect((await guest.detect('blurred')).faces[0]).toMatchObject({
      enrolled: false,
      detection: { reviewStatus: 'confirmed' },
    });
    await set('face.auto_enroll_threshold', 0);
    expect((await guest.detect('sharp')).faces[0]).toMatchObject({
      enrolled: false,
      detection: { reviewStatus: 'confirmed' },
    });
  });

  test('settings apply to the next request', async () => {
    await set('face.match_threshold', 0.1);
    await set('face.auto_confirm_threshold', 0.2);
    fixture.scenes.set('far', { faces: [faceAt(70)] });
    expect((await guest.detect('far')).faces[0]).toMatchObject({
      detection: { identityId: ann, reviewStatus: 'confirmed' },
    });
  });
});

describe('one identity per image', () => {
  test('is assigned to the most similar face; the second gets it suggested, not the next best', async () => {
    fixture.scenes.set('ann', { faces: [faceAt(0)] });
    fixture.scenes.set('bea', { faces: [faceAt(50)] });
    const ann = (await guest.enroll('ann', 'Ann')).identityId;
    const bea = (await guest.enroll('bea', 'Bea')).identityId;
    fixture.scenes.set('twins', {
      faces: [faceAt(20, { bbox: boxAt(0) }), faceAt(-5, { bbox: boxAt(1) })],
    });
    const { faces } = await guest.detect('twins');
    expect(faces).toMatchObject([
      {
        detection: { identityId: null, reviewStatus: 'pending' },
        suggestions: [{ identityId: ann }, { identityId: bea }],
      },
      { detection: { identityId: ann, reviewStatus: 'confirmed' } },
    ]);
  });

  test('counts what is stored on the image', async () => {
    fixture.scenes.set('party', { faces: [faceAt(0, { bbox: boxAt(0) })] });
    const ann = (await guest.enroll('party', 'Ann')).identityId;
    // In this run the detector finds a second face, similar to hers.
    fixture.scenes.set('party', {
      faces: [faceAt(0, { bbox: boxAt(0) }), faceAt(3, { bbox: boxAt(1) })],
    });
    const { faces, reused } = await guest.detect('party');
    expect(reused).toBe(true);
    expect(faces).toMatchObject([
      { created: false, detection: { identityId: ann, decidedBy: 'human' } },
      { created: true, detection: { identityId: null }, suggestions: [{ identityId: ann }] },
    ]);
  });
});

describe('objects', () => {
  const bicycle = analyzedObject({ bbox: boxAt(0) });

  test('are of the identity of their class, which is created when first seen', async () => {
    fixture.scenes.set('street', {
      objects: [
        bicycle,
        analyzedObject({ bbox: boxAt(1) }),
        analyzedObject({ bbox: boxAt(2), className: 'person', classId: 0 }),
      ],
    });
    const { objects, faces, models } = await guest.detect('street', { types: 'objects' });
    expect([faces, models.faces]).toEqual([[], null]);
    const [first, second, third] = objects.map(({ detection }) => detection);
    expect(first).toMatchObject({
      type: 'object',
      className: 'bicycle',
      classId: 1,
      label: 'bicycle',
      reviewStatus: 'confirmed',
    });
    expect(second!.identityId).toBe(first!.identityId);
    expect(third!.label).toBe('person');
    const events = await home.events();
    expect(events.map(({ event }) => event)).toEqual([
      'identity.created',
      'identity.created',
      'detection.created',
      'detection.created',
      'detection.created',
    ]);
    fixture.scenes.set('garage', { objects: [bicycle] });
    const again = await guest.detect('garage', { types: 'objects' });
    expect(again.objects[0]!.detection.identityId).toBe(first!.identityId);
    expect((await home.events()).map(({ event }) => event)).toEqual(['detection.created']);
  });

  test('of the same class and box are the same when the image comes again', async () => {
    fixture.scenes.set('street', { objects: [bicycle] });
    const first = await guest.detect('street', { types: 'all' });
    fixture.scenes.set('street', {
      objects: [bicycle, analyzedObject({ bbox: boxAt(0), className: 'person' })],
    });
    const second = await guest.detect('street', { types: 'all' });
    expect(second.objects.map(({ created }) => created)).toEqual([false, true]);
    expect(second.objects[0]!.detection.id).toBe(first.objects[0]!.detection.id);
  });

  test('and persons of one name are two identities', async () => {
    fixture.scenes.set('both', { faces: [faceAt(0)], objects: [bicycle] });
    const { faces, objects } = await guest.detect('both', { types: 'all', label: 'bicycle' });
    expect(faces[0]!.detection.label).toBe('bicycle');
    expect(faces[0]!.detection.identityId).not.toBe(objects[0]!.detection.identityId);
  });
});

describe('what is missing', () => {
  beforeEach(() => {
    fixture.scenes.set('both', { faces: [faceAt(0)], objects: [analyzedObject()] });
  });

  const nothing = async () => {
    expect(await totals()).toMatchObject({ sourceImages: 0, storageBytes: 0 });
    expect(await fixture.store.files(home.scope)).toEqual([]);
  };

  test('one engine: the other still finds everything', async () => {
    fixture.analyzer.models = [OBJECT_MODEL];
    const { faces, objects, models } = await guest.detect('both', { types: 'all' });
    expect([faces.length, objects.length, models.faces]).toEqual([0, 1, null]);
    fixture.analyzer.models = [FACE_MODEL];
    expect((await guest.detect('both', { types: 'all' })).faces).toHaveLength(1);
  });

  test.each([
    ['faces', [OBJECT_MODEL], undefined],
    ['objects', [FACE_MODEL], undefined],
    ['all', [], undefined],
    ['all', [OBJECT_MODEL], 'Ann'],
  ] as const)('%s without an engine store nothing', async (types, models, label) => {
    fixture.analyzer.models = models;
    await expect(guest.detect('both', { types, ...(label && { label }) })).rejects.toMatchObject({
      code: 'no_active_model',
    });
    await nothing();
  });

  test('the index: faces cannot be matched and are not stored; objects are', async () => {
    const stranded = visitor(fixture.process({ vectors: lost(fixture.index) }), home);
    await expect(stranded.detect('both', { types: 'all' })).rejects.toMatchObject({
      code: 'vectors_unavailable',
    });
    await nothing();
    expect((await stranded.detect('both', { types: 'objects' })).objects).toHaveLength(1);
  });

  test('an embedding model: faces are stored unidentified', async () => {
    fixture.analyzer.models = [{ ...FACE_MODEL, revision: 'd'.repeat(64), embeddingDim: null }];
    fixture.scenes.set('both', { faces: [faceAt(0, { embedding: null })] });
    const { faces } = await guest.detect('both');
    expect(faces[0]!.detection).toMatchObject({
      identityId: null,
      similarity: null,
      embeddingSource: null,
    });
    // Detecting the same photo again changes nothing.
    expect((await guest.detect('both')).faces[0]!.created).toBe(false);
  });

  test('the image: the error of inference is passed on', async () => {
    fixture.analyzer.before = () => Promise.reject(new ImageCorrupt('The image is cut off.'));
    await expect(guest.detect('broken')).rejects.toMatchObject({ code: 'image_corrupt' });
    await nothing();
  });
});
