import { describe, expect, test } from '@jest/globals';
import { actOnFace } from '@sightline/core/curation/act-on-face';
import { FACE_MODEL } from '@sightline/core/models/testing/sample-models';
import type { ImageResult } from '@sightline/core/recognition/result/image-result';
import {
  activate,
  aroundRecognition,
  boxAt,
  faceAt,
  idsOf,
  type RecognitionFixture,
  type RecognitionTurn,
} from '../../support/fixtures/recognition-fixture.ts';
import type { SeededEnvironment } from '../../support/fixtures/seeded-environment.ts';
import { storedEmbeddings } from '../../support/fixtures/stored-embeddings.ts';

let fixture: RecognitionFixture;
let home: SeededEnvironment;
let guest: RecognitionTurn['guest'];
let enroll: RecognitionTurn['enroll'];

aroundRecognition((turn) => ({ fixture, home, guest, enroll } = turn));

const created = ({ faces }: ImageResult) => faces.map((face) => face.created);

describe('the same photo again', () => {
  test('keeps overlapping detections, adds new ones and leaves those that were not found', async () => {
    fixture.scenes.set('photo', {
      faces: [faceAt(0, { bbox: boxAt(0) }), faceAt(90, { bbox: boxAt(1) })],
    });
    const first = await guest.detect('photo', { externalRef: 'a' });
    fixture.scenes.set('photo', {
      faces: [
        faceAt(0, { bbox: { ...boxAt(0), x: 5 } }),
        // A box of 20 by 20 pixels that is moved down by 7 has an IoU of 0.48 with the original
        // one.
        faceAt(90, { bbox: { ...boxAt(1), y: 17 } }),
        faceAt(180, { bbox: boxAt(2) }),
      ],
    });
    await home.events();
    const second = await guest.detect('photo');
    expect(second.source).toMatchObject({ id: first.source.id, externalRef: 'a' });
    expect(second.reused).toBe(true);
    expect(created(second)).toEqual([false, true, true]);
    expect(idsOf(second)[0]).toBe(idsOf(first)[0]);
    expect(await guest.detectionsOf(first.source.id)).toHaveLength(4);
    expect((await home.events()).map(({ event }) => event)).toEqual([
      'detection.created',
      'detection.created',
    ]);
  });

  test('takes over a new external_ref, and emits events with it', async () => {
    await guest.detect('photo', { externalRef: 'old' });
    fixture.scenes.set('photo', { faces: [faceAt(0)] });
    const { source } = await guest.detect('photo', { externalRef: 'new' });
    expect(source.externalRef).toBe('new');
    expect(await home.events()).toMatchObject([{ data: { external_ref: 'new' } }]);
  });

  test('removes the files that it did not need', async () => {
    fixture.scenes.set('photo', { faces: [faceAt(0)] });
    await guest.detect('photo');
    const files = await fixture.store.files(home.scope);
    await guest.detect('photo');
    expect(await fixture.store.files(home.scope)).toEqual(files);
  });

  test('recognizes a face whose person was enrolled meanwhile, and emits an event', async () => {
    fixture.scenes.set('photo', { faces: [faceAt(10)] });
    const [id] = idsOf(await guest.detect('photo'));
    const ann = await enroll('Ann', 0);
    const { faces } = await guest.detect('photo');
    expect(faces[0]).toMatchObject({
      created: false,
      enrolled: true,
      detection: { id, identityId: ann, reviewStatus: 'confirmed', decidedBy: 'automatic' },
    });
    expect(await home.events()).toMatchObject([
      { event: 'detection.labeled', data: { detection_id: id, identity_id: ann } },
      {
        event: 'identity.updated',
        data: { identity_id: ann, action: 'embedding_added', detection_id: id },
      },
    ]);
    await guest.detect('photo');
    expect(await home.events()).toEqual([]);
  });

  test('decides a pending face again, also for another identity or none', async () => {
    const ann = await enroll('Ann', 0);
    fixture.scenes.set('photo', { faces: [faceAt(50)] });
    const [id] = idsOf(await guest.detect('photo'));
    expect(await home.detection(id!)).toMatchObject({ identityId: ann, reviewStatus: 'pending' });
    const bea = await enroll('Bea', 60);
    await guest.detect('photo');
    expect(await home.detection(id!)).toMatchObject({ identityId: bea, reviewStatus: 'confirmed' });
    expect(await home.events()).toMatchObject([
      { event: 'detection.labeled', data: { identity_id: bea } },
      { event: 'identity.updated', data: { identity_id: bea, action: 'embedding_added' } },
    ]);
  });

  test('leaves an automatic confirmation', async () => {
    const ann = await enroll('Ann', 0);
    fixture.scenes.set('photo', { faces: [faceAt(30, { quality: 0.1 })] });
    const [id] = idsOf(await guest.detect('photo'));
    await enroll('Bea', 30);
    expect((await guest.detect('photo')).faces[0]).toMatchObject({
      enrolled: false,
      suggestions: [],
      detection: { id, identityId: ann },
    });
    expect(await home.events()).toEqual([]);
  });

  test("leaves a person's decision, and answers the stored suggestions", async () => {
    const ann = await enroll('Ann', 0);
    fixture.scenes.set('photo', { faces: [faceAt(50)] });
    const [id] = idsOf(await guest.detect('photo'));
    await home.change(id!, `identity_id = NULL, decided_by = 'human'`);
    await home.events();
    expect((await guest.detect('photo')).faces[0]).toMatchObject({
      detection: { id, identityId: null, decidedBy: 'human' },
      suggestions: [{ identityId: ann, label: 'Ann' }],
    });
    expect(await home.events()).toEqual([]);
  });

  test('leaves a dismissed face', async () => {
    fixture.scenes.set('photo', { faces: [faceAt(0)] });
    const [id] = idsOf(await guest.detect('photo'));
    await home.change(id!, 'dismissed_at = now()');
    await enroll('Ann', 0);
    const { faces } = await guest.detect('photo');
    expect(faces[0]).toMatchObject({ created: false, suggestions: [] });
    expect(await home.detection(id!)).toMatchObject({ identityId: null });
    expect((await home.detection(id!))!.dismissedAt).not.toBeNull();
  });

  test('never matches a face with an identity from which it was rejected', async () => {
    fixture.scenes.set('photo', { faces: [faceAt(0)] });
    const [id] = idsOf(await guest.detect('photo'));
    const ann = await enroll('Ann', 0);
    const bea = await enroll('Bea', 50);
    await home.reject(id!, ann);
    expect((await guest.detect('photo')).faces[0]).toMatchObject({
      detection: { identityId: bea, reviewStatus: 'pending' },
      suggestions: [{ identityId: bea }],
    });
  });

  test('does not assign an identity twice, even if its face was not found this time', async () => {
    const ann = await enroll('Ann', 0);
    fixture.scenes.set('photo', {
      faces: [faceAt(55, { bbox: boxAt(0) }), faceAt(90, { bbox: boxAt(1) })],
    });
    const [first] = idsOf(await guest.detect('photo'));
    expect(await home.detection(first!)).toMatchObject({ identityId: ann });
    // In this run the second face is the more similar one.
    fixture.scenes.set('photo', {
      faces: [faceAt(55, { bbox: boxAt(0) }), faceAt(40, { bbox: boxAt(1) })],
    });
    const { faces } = await guest.detect('photo');
    expect(faces).toMatchObject([
      { detection: { id: first, identityId: null } },
      { detection: { identityId: ann } },
    ]);
  });

  test('adds embeddings of a new model to paired faces', async () => {
    fixture.scenes.set('photo', {
      faces: [faceAt(0, { bbox: boxAt(0) }), faceAt(90, { bbox: boxAt(1) })],
    });
    const [annFace, other] = idsOf(await guest.detect('photo'));
    await actOnFace(fixture.store, {
      scope: home.scope,
      id: annFace!,
      action: 'relabel',
      target: { label: 'Ann' },
    });
    await home.events();
    const next = { ...FACE_MODEL, revision: 'a'.repeat(64) };
    fixture.analyzer.models = [next];
    await activate(fixture.store, [next]);
    try {
      const { models, faces } = await guest.detect('photo');
      const modelId = models.faces!.id;
      const vectors = await storedEmbeddings(fixture.store, modelId, [annFace!, other!]);
      expect(vectors).toHaveLength(2);
      const made = (await guest.referencesOf([annFace!, other!])).filter(
        (r) => r.modelId === modelId,
      );
      expect(made).toMatchObject([{ detectionId: annFace }]);
      expect(faces.map(({ enrolled }) => enrolled)).toEqual([true, false]);
      expect(await home.events()).toMatchObject([
        { data: { action: 'embedding_added', embedding_id: made[0]!.id } },
      ]);
    } finally {
      fixture.analyzer.models = [FACE_MODEL];
      await activate(fixture.store, [FACE_MODEL]);
    }
  });
});
