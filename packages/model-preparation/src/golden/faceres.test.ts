import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { describeWithShared } from '@sightline/test/support/gates/describe-with-shared';
import { shared } from '@sightline/test/support/fixtures/shared';
import type { ModelSession } from '@sightline/engine/onnx/session';
import { openConverted } from '../tfjs/testing/open-converted.ts';
import { publishedModel } from '../tfjs/testing/published-model.ts';
import { GenderAgeEstimator } from '@sightline/engine/faces/gender-age-estimator';
import { squareAround } from '@sightline/engine/faces/crop-around-box';
import { decodePhoto } from '@sightline/engine/faces/testing/decode-photo';

interface GoldenFace {
  readonly bbox_xyxy: readonly [number, number, number, number];
  /** The age in years, with one decimal. */
  readonly age: number;
  /** The probability that the face is male, 0..1. */
  readonly male: number;
}

const OUTPUTS = ['gender_pred/Sigmoid', 'age_pred/Softmax'];

describeWithShared('faceres against the reference results', () => {
  let net: ModelSession;
  let estimator: GenderAgeEstimator;
  /** The probabilities of being male that the network returned during the current test. */
  let male: number[];

  beforeAll(async () => {
    net = await openConverted(publishedModel('faceres'), OUTPUTS);
    const watched: ModelSession = {
      ...net,
      run: async (feeds) => {
        const results = await net.run(feeds);
        male.push(...results[OUTPUTS[0]!]!.data);
        return results;
      },
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

  beforeEach(() => {
    male = [];
  });

  test.each(photos)('%s', async (photo, faces) => {
    const raster = await decodePhoto(shared('photos', photo));
    const found = await estimator.estimate(raster, faces.map(squareOf));
    for (const [index, expected] of faces.entries()) {
      expect(Math.abs(found[index]!.age - expected.age)).toBeLessThanOrEqual(3);
      // The reference boxes have two digits. This rounding alone changes the probability by 0.002.
      expect(Math.abs(male[index]! - expected.male)).toBeLessThanOrEqual(0.01);
      expect(found[index]!.gender).toBe(expected.male > 0.5 ? 'M' : 'F');
    }
  });

  test('gives a face in a crowd the same estimates as alone', async () => {
    const [photo, faces] = photos.find(([name]) => name.endsWith('016_8.jpg'))!;
    const raster = await decodePhoto(shared('photos', photo));
    const together = await estimator.estimate(raster, faces.map(squareOf));
    const alone = [];
    for (const face of faces) alone.push(...(await estimator.estimate(raster, [squareOf(face)])));
    expect(together.map(({ gender }) => gender)).toEqual(alone.map(({ gender }) => gender));
    const [inBatches, oneByOne] = [male.slice(0, faces.length), male.slice(faces.length)];
    for (const [index, probability] of inBatches.entries()) {
      expect(probability).toBeCloseTo(oneByOne[index]!, 4);
      expect(Math.abs(together[index]!.age - alone[index]!.age)).toBeLessThanOrEqual(1);
    }
  });
});

function squareOf({ bbox_xyxy: [x1, y1, x2, y2] }: GoldenFace) {
  return squareAround({ x1, y1, x2, y2 }, 1);
}

function goldenPhotos(): [string, readonly GoldenFace[]][] {
  const path = shared('golden/starter.json');
  if (!existsSync(path)) return [];
  const golden = JSON.parse(readFileSync(path, 'utf8')) as {
    readonly faces: Record<string, { readonly faces: readonly GoldenFace[] }>;
  };
  return Object.entries(golden.faces).map(([photo, { faces }]) => [photo, faces]);
}
