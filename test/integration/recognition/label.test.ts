import { describe, expect, test } from '@jest/globals';
import {
  aroundRecognition,
  boxAt,
  faceAt,
  idsOf,
  lost,
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

describe('a label', () => {
  const two = [
    faceAt(90, { bbox: boxAt(0), confidence: 0.95 }),
    faceAt(0, { bbox: boxAt(1), confidence: 0.9 }),
  ];

  test('names the face with the highest score; the others stay below a confirmation', async () => {
    const ann = await enroll('Ann', 0);
    fixture.scenes.set('photo', { faces: two });
    const { faces } = await guest.detect('photo', { label: ' Bea ' });
    const [bea, other] = faces;
    expect(bea).toMatchObject({
      enrolled: true,
      detection: { label: 'Bea', reviewStatus: 'confirmed', decidedBy: 'human', similarity: null },
    });
    expect(other).toMatchObject({
      enrolled: false,
      detection: { identityId: ann, reviewStatus: 'pending', decidedBy: 'automatic' },
    });
    const events = await home.events();
    expect(events.map(({ event, data }) => ('action' in data ? data.action : event))).toEqual([
      'identity.created',
      'detection.created',
      'detection_added',
      'embedding_added',
      'detection.created',
      'detection_added',
    ]);
  });

  test('of equal scores, the larger one', async () => {
    fixture.scenes.set('photo', {
      faces: [faceAt(0, { bbox: boxAt(0, 20) }), faceAt(90, { bbox: boxAt(1, 30) })],
    });
    const { faces } = await guest.detect('photo', { label: 'Bea' });
    expect(faces.map(({ detection }) => detection.label)).toEqual([null, 'Bea']);
  });

  test('takes the identity from the other faces of the image', async () => {
    await enroll('Ann', 0);
    fixture.scenes.set('photo', { faces: two });
    const { faces } = await guest.detect('photo', { label: 'Ann' });
    expect(faces).toMatchObject([
      { detection: { label: 'Ann' } },
      { detection: { label: null }, suggestions: [{ label: 'Ann' }] },
    ]);
  });

  test('relabels a stored face, whatever its identity, and moves its reference', async () => {
    fixture.scenes.set('photo', { faces: [faceAt(0)] });
    const first = await guest.detect('photo', { label: 'Ann' });
    const { id, identityId: ann } = first.faces[0]!.detection;
    const [old] = await guest.referencesOf([id]);
    await home.change(id, 'dismissed_at = now()');
    await home.events();
    const second = await guest.detect('photo', { label: 'Bea' });
    const { identityId: bea, dismissedAt } = second.faces[0]!.detection;
    expect(second.faces[0]).toMatchObject({ created: false, enrolled: true, detection: { id } });
    expect(dismissedAt).toBeNull();
    const [reference] = await guest.referencesOf([id]);
    expect(reference).toMatchObject({ identityId: bea });
    expect(await home.events()).toMatchObject([
      { event: 'identity.created', data: { label: 'Bea' } },
      { event: 'detection.labeled', data: { detection_id: id, identity_id: bea } },
      { data: { identity_id: ann, action: 'embedding_removed', embedding_id: old!.id } },
      { data: { identity_id: bea, action: 'embedding_added', embedding_id: reference!.id } },
    ]);
    await guest.detect('photo', { label: 'Bea' });
    expect(await home.events()).toEqual([]);
  });

  test('forgets that the face was rejected from that person', async () => {
    const ann = await enroll('Ann', 90);
    fixture.scenes.set('photo', { faces: [faceAt(0)] });
    const [id] = idsOf(await guest.detect('photo'));
    await home.reject(id!, ann);
    const { faces } = await guest.detect('photo', { label: 'Ann', replace: true });
    const rejections = await fixture.store.database.withScope(home.scope, ({ gallery }) =>
      gallery.rejections([faces[0]!.detection.id]),
    );
    expect(rejections).toEqual([]);
  });

  test('without a face creates no identity, but stores the source', async () => {
    const { source, faces } = await guest.detect('landscape', { label: 'Ann' });
    expect(faces).toEqual([]);
    expect(source.id).toBeGreaterThan(0);
    expect(await home.events()).toEqual([]);
  });

  test('that is invalid is refused', async () => {
    await expect(guest.detect('photo', { label: '  ' })).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });

  test('needs no index if there is no other face to match', async () => {
    fixture.scenes.set('photo', { faces: [faceAt(0)] });
    const alone = visitor(fixture.process({ vectors: lost(fixture.index) }), home);
    expect((await alone.detect('photo', { label: 'Ann' })).faces[0]!.enrolled).toBe(true);
  });
});
