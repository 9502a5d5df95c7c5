import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type BoundingBox, intersectionOverUnion } from '@sightline/core/analysis/geometry';
import { cosineSimilarity } from '@sightline/core/matching/cosine-similarity';
import { describeWithShared } from '@sightline/test/support/gates/describe-with-shared';
import { thirdOf } from '@sightline/test/support/gates/soak';
import { shared } from '@sightline/test/support/fixtures/shared';
import type { ModelSession } from '../onnx/session.ts';
import { openFile } from '../onnx/testing/open-file.ts';
import { FaceDetector } from './face-detector.ts';
import { type DetectedFace, FacePipeline } from './face-pipeline.ts';
import { FaceRecognizer } from './face-recognizer.ts';
import { GenderAgeEstimator } from './gender-age-estimator.ts';
import { HeadPoseEstimator } from './head-pose-estimator.ts';
import { decodePhoto } from './testing/decode-photo.ts';

interface GoldenFace {
  readonly bbox_xyxy: readonly [number, number, number, number];
  readonly score: number;
  readonly landmarks: readonly (readonly [number, number])[];
  readonly embedding_512: readonly number[];
  readonly genderage_contract: { readonly gender: 0 | 1; readonly age: number };
  readonly '1k3d68_contract': { readonly pose_pitch_yaw_roll: readonly [number, number, number] };
}

interface GoldenPhoto {
  readonly width: number;
  readonly height: number;
  readonly faces: readonly GoldenFace[];
}

const GOLDEN = 'golden/insightface-faces.json';
const OPTIONS = {
  detectionThreshold: 0.5,
  embed: true,
  attributes: true,
  // The reference results were computed without a full-frame pass.
  fullFramePass: false,
  upright: false,
};

const rgb = { colorOrder: 'rgb' } as const;
const gray = (mean: number, std: number) =>
  ({ ...rgb, mean: [mean, mean, mean], std: [std, std, std] }) as const;

describeWithShared('the face pipeline against insightface (Python)', () => {
  const sessions: ModelSession[] = [];
  let pipeline: FacePipeline;

  beforeAll(async () => {
    const open = async (...path: string[]) => {
      const session = await openFile(shared(...path));
      sessions.push(session);
      return session;
    };
    const detector = await open('packs/insightface/scrfd_2.5g_bnkps.onnx');
    const recognizer = await open('packs/insightface/w600k_mbf_int8.onnx');
    pipeline = new FacePipeline({
      detector: new FaceDetector(detector, {
        architecture: 'scrfd',
        preprocess: gray(127.5, 128),
        // The reference implementation pads every image to a square.
        letterbox: 'square',
      }),
      recognizer: new FaceRecognizer(recognizer, gray(127.5, 127.5)),
      // The two networks below normalize the pixels in their graphs, so mean 0 and deviation 1 leave the pixels
      // unchanged.
      genderAge: new GenderAgeEstimator(await open('parts/genderage_contract.onnx'), {
        architecture: 'genderage',
        preprocess: gray(0, 1),
      }),
      headPose: new HeadPoseEstimator(await open('parts/1k3d68_contract.onnx'), gray(0, 1)),
    });
  });

  afterAll(async () => {
    for (const session of sessions) await session[Symbol.asyncDispose]();
  });

  const photos = goldenPhotos();

  test('includes all reference photos', () => {
    expect(photos).toHaveLength(75);
  });

  for (const [photo, golden] of thirdOf(photos, 2)) {
    test(photo, async () => {
      const raster = await decodePhoto(shared('photos', photo));
      expect([raster.width, raster.height]).toEqual([golden.width, golden.height]);
      const faces = await pipeline.analyze(raster, OPTIONS, () => undefined);
      expect(faces).toHaveLength(golden.faces.length);
      for (const expected of golden.faces) {
        compare(bestMatch(faces, goldenBox(expected, golden)), { expected, photo: golden });
      }
    });
  }
});

function goldenPhotos(): [string, GoldenPhoto][] {
  if (!existsSync(shared(GOLDEN))) return [];
  const text = readFileSync(shared(GOLDEN), 'utf8');
  return Object.entries(JSON.parse(text) as Record<string, GoldenPhoto>);
}

/** Returns the reference box clamped to the photo, because the pipeline clamps its boxes. */
function goldenBox({ bbox_xyxy }: GoldenFace, { width, height }: GoldenPhoto): BoundingBox {
  const [x1, y1, x2, y2] = bbox_xyxy;
  const [x, y] = [Math.max(0, x1), Math.max(0, y1)];
  return { x, y, w: Math.min(x2, width) - x, h: Math.min(y2, height) - y };
}

function bestMatch(faces: readonly DetectedFace[], box: BoundingBox): DetectedFace {
  const overlap = (face: DetectedFace) => intersectionOverUnion(face.bbox, box);
  return faces.reduce((best, face) => (overlap(face) > overlap(best) ? face : best));
}

function compare(
  face: DetectedFace,
  { expected, photo }: { expected: GoldenFace; photo: GoldenPhoto },
): void {
  const box = goldenBox(expected, photo);
  expect(intersectionOverUnion(face.bbox, box)).toBeGreaterThanOrEqual(0.97);
  expect(Math.abs(face.confidence - expected.score)).toBeLessThan(0.02);
  expect(landmarkError(face, expected)).toBeLessThanOrEqual(0.02);
  expect(cosineSimilarity(face.embedding!, unit(expected.embedding_512))).toBeGreaterThanOrEqual(
    0.99,
  );
  const { gender, age } = expected.genderage_contract;
  expect(face.gender).toBe(gender === 1 ? 'M' : 'F');
  if (Math.min(box.w, box.h) <= 40) return;
  expect(Math.abs(face.age! - age)).toBeLessThanOrEqual(1);
  const { pose_pitch_yaw_roll } = expected['1k3d68_contract'];
  for (const [axis, angle] of pose_pitch_yaw_roll.entries()) {
    expect(angleBetween(face.pose![axis]!, angle)).toBeLessThanOrEqual(1);
  }
}

function landmarkError(face: DetectedFace, { landmarks, bbox_xyxy }: GoldenFace): number {
  const [x1, y1, x2, y2] = bbox_xyxy;
  const distances = landmarks.map(([x, y], index) =>
    Math.hypot(face.landmarks![index]!.x - x, face.landmarks![index]!.y - y),
  );
  return Math.max(...distances) / Math.max(x2 - x1, y2 - y1);
}

/** Normalizes a reference vector, because rounding to five digits has changed its length from 1. */
function unit(values: readonly number[]): Float32Array {
  const length = Math.hypot(...values);
  return Float32Array.from(values, (value) => value / length);
}

/**
 * Returns the angle between two directions in degrees, 0..180. For example, -179 and 179 are 2
 * apart.
 */
function angleBetween(a: number, b: number): number {
  const turn = Math.abs(a - b) % 360;
  return Math.min(turn, 360 - turn);
}
