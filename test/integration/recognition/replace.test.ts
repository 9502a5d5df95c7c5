import { describe, expect, test } from '@jest/globals';
import {
  aroundRecognition,
  boxAt,
  faceAt,
  idsOf,
  type RecognitionFixture,
  type RecognitionTurn,
  visitor,
} from '../../support/fixtures/recognition-fixture.ts';
import type { SeededEnvironment } from '../../support/fixtures/seeded-environment.ts';

let fixture: RecognitionFixture;
let home: SeededEnvironment;
let guest: RecognitionTurn['guest'];
let enroll: RecognitionTurn['enroll'];

aroundRecognition((turn) => ({ fixture, home, guest, enroll } = turn));

describe('replace', () => {
  test('compares each face with all references that stay', async () => {
    fixture.scenes.set('photo', { faces: [faceAt(0)] });
    await guest.detect('photo', { label: 'Ann' });
    fixture.scenes.set('near', { faces: [faceAt(20)] });
    fixture.scenes.set('far', { faces: [faceAt(80)] });
    const { identityId } = await guest.enroll('near', 'Ann');
    await guest.enroll('far', 'Ann');
    // The first face is closest to the reference that is removed, and the second face to a
    // reference that stays.
    fixture.scenes.set('photo', {
      faces: [faceAt(0, { bbox: boxAt(0) }), faceAt(150, { bbox: boxAt(1) })],
    });
    const { faces } = await guest.detect('photo', { replace: true });
    expect(faces.map(({ detection }) => detection.identityId)).toEqual([identityId, null]);
  });

  test('removes all detections of the type, with crops and references, and emits events', async () => {
    const deps = fixture.process();
    guest = visitor(deps, home);
    fixture.scenes.set('photo', {
      faces: [faceAt(0, { bbox: boxAt(0) }), faceAt(90, { bbox: boxAt(1) })],
    });
    const { identityId: ann } = await guest
      .detect('photo', { label: 'Ann', externalRef: 'p' })
      .then(({ faces }) => ({ identityId: faces[0]!.detection.identityId! }));
    const before = await guest.detect('photo');
    const [annFace, other] = idsOf(before);
    const [reference] = await guest.referencesOf([annFace!]);
    await home.change(other!, `is_manual = true, decided_by = 'human'`);
    await home.events();

    fixture.scenes.set('photo', { faces: [faceAt(0, { bbox: boxAt(0) })] });
    const { source, faces } = await guest.detect('photo', { replace: true });
    expect(source.id).toBe(before.source.id);
    // Ann's only reference was removed.
    expect(faces).toMatchObject([
      { created: true, detection: { identityId: null, similarity: null, decidedBy: 'automatic' } },
    ]);
    expect((await guest.detectionsOf(source.id)).map(({ id }) => id)).toEqual([
      faces[0]!.detection.id,
    ]);
    expect(await guest.referencesOf([annFace!, faces[0]!.detection.id])).toEqual([]);
    expect(await fixture.store.files(home.scope)).toHaveLength(2);
    expect(await home.events()).toEqual([
      {
        event: 'detection.deleted',
        data: { detection_ids: [annFace, other], external_refs: ['p', 'p'] },
      },
      {
        event: 'identity.updated',
        data: {
          identity_id: ann,
          action: 'embedding_removed',
          embedding_id: reference!.id,
          detection_id: annFace,
          external_ref: null,
        },
      },
      {
        event: 'detection.created',
        data: {
          detection_id: faces[0]!.detection.id,
          type: 'face',
          identity_id: null,
          external_ref: 'p',
        },
      },
    ]);
    const identity = await fixture.store.database.withScope(home.scope, ({ identities }) =>
      identities.byId(ann),
    );
    expect(identity).not.toBeNull();
  });

  test.each(['best_match', 'average'])(
    'matches with the references of others alone, by %s',
    async (strategy) => {
      await fixture.store.database.withEntities(
        { ...home.scope, locks: [{ entity: 'environment' }] },
        (tx) => tx.settings.put('face.match_strategy', strategy),
      );
      fixture.scenes.set('photo', { faces: [faceAt(0)] });
      const { identityId: ann } = await guest.enroll('photo', 'Ann');
      fixture.scenes.set('second', { faces: [faceAt(40)] });
      await guest.enroll('second', 'Ann');
      await fixture.catchUp();
      const { faces } = await guest.detect('photo', { replace: true });
      // The reference that remains is from the second photo, 40 degrees away from this face.
      expect(faces[0]!.detection).toMatchObject({ identityId: ann, reviewStatus: 'pending' });
      expect(faces[0]!.detection.similarity).toBeCloseTo(Math.cos((40 * Math.PI) / 180), 6);
    },
  );

  test('inherits the rejected pairs of overlapping detections', async () => {
    fixture.scenes.set('photo', { faces: [faceAt(0)] });
    const [id] = idsOf(await guest.detect('photo'));
    const ann = await enroll('Ann', 0);
    await home.reject(id!, ann);
    const second = await guest.detect('photo', { replace: true });
    expect(second.faces[0]).toMatchObject({ detection: { identityId: null }, suggestions: [] });
    const third = await guest.detect('photo', { replace: true });
    expect(idsOf(third)).not.toEqual(idsOf(second));
    expect(third.faces[0]).toMatchObject({ detection: { identityId: null }, suggestions: [] });
  });

  test('clears a cover that is removed', async () => {
    fixture.scenes.set('photo', { faces: [faceAt(0)] });
    const { identityId } = await guest.enroll('photo', 'Ann');
    const [id] = idsOf(await guest.detect('photo'));
    await fixture.store.query('UPDATE identities SET cover_detection_id = $1 WHERE id = $2', [
      id,
      identityId,
    ]);
    await home.events();
    await guest.detect('photo', { replace: true });
    expect((await home.events()).at(-1)).toEqual({
      event: 'identity.updated',
      data: {
        identity_id: identityId,
        action: 'thumbnail_updated',
        cover_detection_id: null,
        external_ref: null,
      },
    });
  });

  test('keeps the source and other types when nothing is found any more', async () => {
    fixture.scenes.set('photo', { faces: [faceAt(0)] });
    const { source } = await guest.detect('photo');
    fixture.scenes.set('photo', {});
    await guest.detect('photo', { replace: true });
    expect(await guest.detectionsOf(source.id)).toEqual([]);
    expect((await guest.detect('photo')).reused).toBe(true);
  });

  test('loses nothing when inference fails', async () => {
    fixture.scenes.set('photo', { faces: [faceAt(0)] });
    const first = await guest.detect('photo');
    fixture.analyzer.before = () => Promise.reject(new Error('gone'));
    await expect(guest.detect('photo', { replace: true })).rejects.toThrow('gone');
    expect((await guest.detectionsOf(first.source.id)).map(({ id }) => id)).toEqual(idsOf(first));
  });
});
