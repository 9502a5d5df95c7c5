import { expect, test } from '@jest/globals';
import { FACE_MODEL, OBJECT_MODEL } from '@sightline/core/models/testing/sample-models';
import { identifyFaces } from '@sightline/core/recognition/identify-faces';
import { testImage } from '@sightline/core/recognition/test-image';
import { verifyFaces } from '@sightline/core/recognition/verify-faces';
import {
  aroundRecognition,
  faceAt,
  photo,
  type RecognitionFixture,
  type RecognitionTurn,
} from '../../support/fixtures/recognition-fixture.ts';
import type { SeededEnvironment } from '../../support/fixtures/seeded-environment.ts';

let fixture: RecognitionFixture;
let home: SeededEnvironment;
let guest: RecognitionTurn['guest'];

aroundRecognition((turn) => ({ fixture, home, guest } = turn));

const OTHER = { ...FACE_MODEL, revision: 'e'.repeat(64) };
const UNAVAILABLE = { code: 'inference_unavailable' };

test('the answer of a face model other than the active one is refused, and nothing is stored', async () => {
  fixture.scenes.set('who', { faces: [faceAt(0)] });
  await guest.enroll('who', 'Ann');
  await home.events();
  fixture.analyzer.models = [OTHER, OBJECT_MODEL];
  try {
    await expect(guest.detect('who')).rejects.toMatchObject(UNAVAILABLE);
    await expect(guest.enroll('who', 'Bea')).rejects.toMatchObject(UNAVAILABLE);
    const deps = fixture.process();
    const { scope } = home;
    const image = () => photo('who');
    const identification = identifyFaces(deps, { scope, image: image(), topN: 1 });
    await expect(identification).rejects.toMatchObject(UNAVAILABLE);
    const tried = testImage(deps, { scope, image: image(), types: 'faces' });
    await expect(tried).rejects.toMatchObject(UNAVAILABLE);
    expect(await home.events()).toEqual([]);
    // Two vectors of the same model can be compared, even if it is not the active model.
    const verified = await verifyFaces(deps, { scope, images: [image(), image()] });
    expect(verified.match).toBe(true);
    expect(await guest.detect('who', { types: 'objects' })).toMatchObject({ faces: [] });
  } finally {
    fixture.analyzer.models = [FACE_MODEL, OBJECT_MODEL];
  }
  expect((await guest.detect('who')).faces).toMatchObject([
    { created: false, detection: { label: 'Ann' } },
  ]);
});
