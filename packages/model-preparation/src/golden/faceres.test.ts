import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { describeWithShared } from '@sightline/test/support/gates/describe-with-shared';
import { shared } from '@sightline/test/support/fixtures/shared';
import type { FloatTensor, ModelSession } from '@sightline/engine/onnx/session';
import { openConverted } from '../tfjs/testing/open-converted.ts';
import { publishedModel } from '../tfjs/testing/published-model.ts';
import { GenderAgeEstimator } from '@sightline/engine/faces/gender-age-estimator';
import { decodePhoto } from '@sightline/engine/faces/testing/decode-photo';

interface GoldenFace {
  readonly bbox_xyxy: readonly [number, number, number, number];
  /** In years, with one decimal. */
  readonly age: number;
  /** 0..1 */
  readonly male: number;
}

const OUTPUTS = ['gender_pred/Sigmoid', 'age_pred/Softmax'];

describeWithShared('faceres against the reference results', () => {
  let net: ModelSession;
  let estimator: GenderAgeEstimator;
  let results: Record<string, FloatTensor>;

  beforeAll(async () => {
    net = await openConverted(publishedModel('faceres'), OUTPUTS);
    const watched: ModelSession = {
      ...net,
      run: async (feeds) => (results = await net.run(feeds)),
    };
    estimator = new GenderAgeEstimator(watched, {
      architecture: 'faceres',
      preprocess: { mean: [103.939, 116.779, 123.68], std: [1, 1, 1], colorOrder: 'bgr' },
    });
  });
  afterAll(() => net[Symbol.asyncDispose]());

  const photos = goldenPhotos();

  test('includes all reference photos', () => {
    expect(photos).toHaveLength(75);
    expect(photos.flatMap(([, faces]) => faces)).toHaveLength(106);
  });

  test.each(photos)('%s', async (photo, faces) => {
    const raster = await decodePhoto(shared('photos', photo));
    for (const { bbox_xyxy, age, male } of faces) {
      const [x1, y1, x2, y2] = bbox_xyxy;
      const found = await estimator.estimate(raster, { x1, y1, x2, y2 });
      expect(Math.abs(found.age - age)).toBeLessThanOrEqual(3);
      // The boxes have two digits, which alone changes the probability by 0.002.
      expect(Math.abs(results[OUTPUTS[0]!]!.data[0]! - male)).toBeLessThanOrEqual(0.01);
      expect(found.gender).toBe(male > 0.5 ? 'M' : 'F');
    }
  });
});

function goldenPhotos(): [string, readonly GoldenFace[]][] {
  const path = shared('golden/starter.json');
  if (!existsSync(path)) return [];
  const golden = JSON.parse(readFileSync(path, 'utf8')) as {
    readonly faces: Record<string, { readonly faces: readonly GoldenFace[] }>;
  };
  return Object.entries(golden.faces).map(([photo, { faces }]) => [photo, faces]);
}
