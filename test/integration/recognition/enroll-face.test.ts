import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { actOnFace } from '@sightline/core/curation/act-on-face';
import { createIdentity } from '@sightline/core/curation/create-identity';
import { FACE_MODEL } from '@sightline/core/models/testing/sample-models';
import {
  aroundRecognition,
  boxAt,
  faceAt,
  lost,
  type RecognitionFixture,
  visitor,
} from '../../support/fixtures/recognition-fixture.ts';
import type { SeededEnvironment } from '../../support/fixtures/seeded-environment.ts';

let fixture: RecognitionFixture;
let home: SeededEnvironment;
let guest: ReturnType<typeof visitor>;

aroundRecognition((turn) => ({ fixture, home, guest } = turn));

const identity = (id: number) =>
  fixture.store.database.withScope(home.scope, ({ identities }) => identities.byId(id));

const totals = () =>
  fixture.store.database.withScope(home.scope, ({ statistics }) => statistics.totals());

beforeEach(() => {
  fixture.scenes.set('ann', { faces: [faceAt(0)] });
});

describe('a new person', () => {
  test('is created with the reference, and the photo is stored', async () => {
    const { identityId, label, embeddingId, enrolled } = await guest.enroll('ann', ' Ann ', {
      externalRef: 'crm/1',
    });
    expect([label, enrolled]).toEqual(['Ann', true]);
    expect(await identity(identityId)).toMatchObject({ type: 'face', externalRef: 'crm/1' });
    const { reused, source, faces } = await guest.detect('ann');
    expect(reused).toBe(true);
    // The external reference belongs to the identity, not to the photo.
    expect(source.externalRef).toBeNull();
    expect(faces[0]).toMatchObject({
      created: false,
      enrolled: true,
      detection: { identityId, reviewStatus: 'confirmed', decidedBy: 'human' },
    });
    const detection_id = faces[0]!.detection.id;
    expect(await home.events()).toEqual([
      {
        event: 'identity.created',
        data: { identity_id: identityId, label: 'Ann', type: 'face', external_ref: 'crm/1' },
      },
      {
        event: 'detection.created',
        data: { detection_id, type: 'face', identity_id: identityId, external_ref: null },
      },
      {
        event: 'identity.updated',
        data: {
          identity_id: identityId,
          action: 'detection_added',
          detection_id,
          external_ref: 'crm/1',
        },
      },
      {
        event: 'identity.updated',
        data: {
          identity_id: identityId,
          action: 'embedding_added',
          embedding_id: embeddingId,
          detection_id,
          external_ref: 'crm/1',
        },
      },
    ]);
  });

  test('needs no index', async () => {
    const alone = visitor(fixture.process({ vectors: lost(fixture.index) }), home);
    expect((await alone.enroll('ann', 'Ann')).enrolled).toBe(true);
  });
});

describe('an existing person', () => {
  test('gets one more reference, by name or by id', async () => {
    const first = await guest.enroll('ann', 'Ann');
    fixture.scenes.set('side', { faces: [faceAt(40)] });
    fixture.scenes.set('back', { faces: [faceAt(80)] });
    const second = await guest.enroll('side', 'Ann');
    const third = await guest.enroll('back', '', { target: { identityId: first.identityId } });
    expect([second.identityId, third.identityId]).toEqual([first.identityId, first.identityId]);
    expect(third.label).toBe('Ann');
    expect(new Set([first.embeddingId, second.embeddingId, third.embeddingId]).size).toBe(3);
  });

  test('with the same photo keeps the same reference', async () => {
    const first = await guest.enroll('ann', 'Ann');
    await home.events();
    expect(await guest.enroll('ann', 'Ann')).toEqual(first);
    expect(await home.events()).toEqual([]);
    expect(await totals()).toMatchObject({ sourceImages: 1, faceDetections: 1 });
  });

  test('gets an external_ref if it has none, and keeps an existing one', async () => {
    const { identityId } = await guest.enroll('ann', 'Ann');
    await guest.enroll('ann', 'Ann', { externalRef: 'crm/1' });
    await guest.enroll('ann', 'Ann', { externalRef: 'crm/1' });
    await guest.enroll('ann', 'Ann');
    expect(await identity(identityId)).toMatchObject({ externalRef: 'crm/1' });
    fixture.scenes.set('side', { faces: [faceAt(40)] });
    await expect(guest.enroll('side', 'Ann', { externalRef: 'crm/2' })).rejects.toMatchObject({
      code: 'external_ref_conflict',
    });
    expect(await identity(identityId)).toMatchObject({ externalRef: 'crm/1' });
    expect(await totals()).toMatchObject({ sourceImages: 1 });
  });

  test('cannot take a face that is enrolled under another identity', async () => {
    const { identityId } = await guest.enroll('ann', 'Ann');
    await expect(guest.enroll('ann', 'Bea')).rejects.toMatchObject({
      code: 'enrolled_elsewhere',
      facts: { identity_id: identityId },
    });
    expect(await totals()).toMatchObject({ faceIdentities: 1 });
  });

  test('takes a face that was only matched with another identity', async () => {
    await guest.enroll('ann', 'Ann');
    fixture.scenes.set('alike', { faces: [faceAt(40)] });
    const { faces } = await guest.detect('alike');
    expect(faces[0]!.detection.label).toBe('Ann');
    await home.events();
    const { identityId, embeddingId } = await guest.enroll('alike', 'Bea');
    const { id } = faces[0]!.detection;
    expect(await home.events()).toMatchObject([
      { event: 'identity.created' },
      { event: 'detection.labeled', data: { detection_id: id, identity_id: identityId } },
      { data: { action: 'embedding_added', embedding_id: embeddingId } },
    ]);
  });

  test('may be one that the face was rejected from', async () => {
    fixture.scenes.set('alike', { faces: [faceAt(40)] });
    const { faces } = await guest.detect('alike');
    const { id } = faces[0]!.detection;
    const { identityId } = await guest.enroll('ann', 'Ann');
    await fixture.store.query(
      'INSERT INTO rejected_pairs (environment_id, detection_id, identity_id) VALUES ($1, $2, $3)',
      [home.scope.environmentId, id, identityId],
    );
    await guest.enroll('alike', 'Ann');
    const rejections = await fixture.store.database.withScope(home.scope, ({ gallery }) =>
      gallery.rejections([id]),
    );
    expect(rejections).toEqual([]);
  });

  test('keeps the other detections of the photo', async () => {
    fixture.scenes.set('ann', {
      faces: [faceAt(0, { bbox: boxAt(0) }), faceAt(90, { bbox: boxAt(1) })],
    });
    const { source } = await guest.detect('ann');
    // With other settings, the detector finds only one of the two faces.
    fixture.scenes.set('ann', { faces: [faceAt(0, { bbox: boxAt(0) })] });
    await guest.enroll('ann', 'Ann');
    expect(await guest.detectionsOf(source.id)).toMatchObject([{ label: 'Ann' }, { label: null }]);
  });
});

describe('what cannot be enrolled', () => {
  afterEach(async () => {
    fixture.analyzer.models = [FACE_MODEL];
    expect(await totals()).toMatchObject({ sourceImages: 0 });
    expect(await fixture.store.files(home.scope)).toEqual([]);
  });

  test.each([0, 2])('is a photo with %d faces', async (count) => {
    fixture.scenes.set('group', {
      faces: Array.from({ length: count }, (_, i) => faceAt(i * 90, { bbox: boxAt(i) })),
    });
    await expect(guest.enroll('group', 'Ann')).rejects.toMatchObject({
      code: 'face_count',
      facts: { faces: count },
    });
  });

  test('is anything without a face model, or with one that makes no embeddings', async () => {
    fixture.analyzer.models = [];
    await expect(guest.enroll('ann', 'Ann')).rejects.toMatchObject({ code: 'no_active_model' });
    fixture.analyzer.models = [{ ...FACE_MODEL, revision: 'd'.repeat(64), embeddingDim: null }];
    fixture.scenes.set('ann', { faces: [faceAt(0, { embedding: null })] });
    await expect(guest.enroll('ann', 'Ann')).rejects.toMatchObject({ code: 'no_embedding' });
  });

  test('is a face that cannot be aligned', async () => {
    fixture.scenes.set('upside down', { faces: [faceAt(0, { embedding: null })] });
    await expect(guest.enroll('upside down', 'Ann')).rejects.toMatchObject({
      code: 'no_embedding',
      message: expect.stringContaining('eyes, nose and mouth'),
    });
  });

  test('is a face under an identity that does not exist, is of another environment or no person', async () => {
    const neighbor = await fixture.store.environment();
    const theirs = await neighbor.identity('Ann');
    for (const identityId of [999_999_999, theirs]) {
      await expect(guest.enroll('ann', '', { target: { identityId } })).rejects.toMatchObject({
        code: 'not_found',
      });
    }
    const { id: identityId } = await createIdentity(fixture.store, {
      scope: home.scope,
      type: 'object',
      label: 'bicycle',
    });
    await expect(guest.enroll('ann', '', { target: { identityId } })).rejects.toMatchObject({
      code: 'type_mismatch',
    });
  });

  test('is a face without a name', async () => {
    await expect(guest.enroll('ann', ' ')).rejects.toMatchObject({ code: 'invalid_request' });
  });
});

describe('at the same time', () => {
  test('one photo under one name makes one reference', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => guest.enroll('ann', 'Ann')));
    expect(new Set(answers.map(({ embeddingId }) => embeddingId)).size).toBe(1);
    expect(await totals()).toMatchObject({ sourceImages: 1, faceDetections: 1, faceIdentities: 1 });
  });

  test('one photo under two names goes to one of them', async () => {
    const outcomes = await Promise.allSettled([
      guest.enroll('ann', 'Ann'),
      guest.enroll('ann', 'Bea'),
    ]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'enrolled_elsewhere' },
    });
    expect(await totals()).toMatchObject({ faceIdentities: 1 });
  });

  test('a label given to the stored face and an enrollment leave one of both', async () => {
    const { faces } = await guest.detect('ann');
    const { id } = faces[0]!.detection;
    await Promise.allSettled([
      guest.enroll('ann', 'Ann'),
      actOnFace(fixture.store, {
        scope: home.scope,
        id,
        action: 'relabel',
        target: { label: 'Bea' },
      }),
    ]);
    const { label } = (await home.detection(id))!;
    expect(['Ann', 'Bea']).toContain(label);
  });
});
