import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type BoundingBox, intersectionOverUnion } from '@sightline/core/analysis/geometry';
import { cosineSimilarity } from '@sightline/core/matching/cosine-similarity';
import { describeWithShared } from '@sightline/test/support/gates/describe-with-shared';
import { thirdOf } from '@sightline/test/support/gates/soak';
import { shared } from '@sightline/test/support/fixtures/shared';
import type { ModelSession } from '@sightline/engine/onnx/session';
import { openBytes } from '@sightline/engine/onnx/testing/open-bytes';
import { FREE_BATCH, FREE_BATCH_AND_SIZE, type FreeAxes } from '../free-dimensions.ts';
import { prepareOnnx } from '../prepare-onnx.ts';
import { FaceDetector } from '@sightline/engine/faces/face-detector';
import { type DetectedFace, FacePipeline } from '@sightline/engine/faces/face-pipeline';
import { FaceRecognizer } from '@sightline/engine/faces/face-recognizer';
import { decodePhoto } from '@sightline/engine/faces/testing/decode-photo';

interface GoldenFace {
  readonly bbox_xyxy: readonly [number, number, number, number];
  readonly score: number;
  readonly kps: readonly (readonly [number, number])[];
  readonly embedding: readonly number[];
}

interface GoldenPhoto {
  readonly width: number;
  readonly height: number;
  readonly faces: readonly GoldenFace[];
}

const OPTIONS = {
  detectionThreshold: 0.6,
  embed: true,
  attributes: false,
  fullFramePass: true,
  upright: false,
};
const RAW = { mean: [0, 0, 0], std: [1, 1, 1] } as const;

/**
 * For each photo, the number of faces that the detector finds here, but not in the reference at 640x640: blurred
 * people in the background, in profile.
 */
const FOUND_BY_THE_FINE_PASS: Readonly<Record<string, number>> = { 'people/002_A.jpg': 3 };

describeWithShared('YuNet and SFace against the reference results', () => {
  let detection: ModelSession;
  let recognition: ModelSession;
  let recognizer: FaceRecognizer;

  beforeAll(async () => {
    detection = await openPart('face_detection_yunet_2023mar_int8bq', FREE_BATCH_AND_SIZE);
    recognition = await openPart('face_recognition_sface_2021dec_int8bq', FREE_BATCH);
    recognizer = new FaceRecognizer(recognition, { ...RAW, colorOrder: 'rgb' });
  });

  afterAll(async () => {
    await detection[Symbol.asyncDispose]();
    await recognition[Symbol.asyncDispose]();
  });

  function pipelineOf(size?: { width: number; height: number }): FacePipeline {
    const preprocess = { ...RAW, colorOrder: 'bgr' } as const;
    const spec = { architecture: 'yunet', preprocess, size, scoreFloor: 0.6 } as const;
    const detector = new FaceDetector(detection, spec);
    return new FacePipeline({ detector, recognizer, genderAge: null, headPose: null });
  }

  const photos = goldenPhotos();

  test('includes all reference photos', () => {
    expect(photos).toHaveLength(75);
    expect(photos.flatMap(([, { faces }]) => faces)).toHaveLength(106);
  });

  test('the recognizer accepts batches', () => {
    expect(recognition.inputs[0]!.dims).toEqual([null, 3, 112, 112]);
    expect(recognition.outputs[0]!.dims).toEqual([null, 128]);
  });

  describe('at the size of the reference, 640x640', () => {
    test.each(thirdOf(photos, 0))('%s', async (photo, golden) => {
      const raster = await decodePhoto(shared('photos', photo));
      expect([raster.width, raster.height]).toEqual([golden.width, golden.height]);
      const pipeline = pipelineOf({ width: 640, height: 640 });
      const faces = await pipeline.analyze(raster, OPTIONS, () => undefined);
      expect(faces).toHaveLength(golden.faces.length);
      for (const expected of golden.faces) compare(faces, expected, golden);
    });
  });

  describe('at sizes that depend on the photo', () => {
    // LFW photos are left out: they are squares, which are always searched at 640x640.
    const people = photos.filter(([photo]) => photo.startsWith('people/'));

    test.each(thirdOf(people, 1))('%s', async (photo, golden) => {
      const raster = await decodePhoto(shared('photos', photo));
      const pipeline = pipelineOf();
      const options = { ...OPTIONS, detectionThreshold: 0.5, embed: false };
      const faces = await pipeline.analyze(raster, options, () => undefined);
      expect(faces).toHaveLength(golden.faces.length + (FOUND_BY_THE_FINE_PASS[photo] ?? 0));
      for (const expected of golden.faces) {
        const box = goldenBox(expected, golden);
        expect(overlap(bestMatch(faces, box), box)).toBeGreaterThanOrEqual(0.8);
      }
    });
  });

  test.each(['people/001_A.jpg', 'people/009_C.jpg', 'people/016_8.jpg'])(
    'finds every face of %s again in its box, with nearly the same embedding',
    async (photo) => {
      const raster = await decodePhoto(shared('photos', photo));
      const { faces, ...size } = new Map(photos).get(photo)!;
      const regions = faces.map((face) => ({ bbox: goldenBox(face, size), landmarks: null }));
      const embedded = await pipelineOf().embedRegions(raster, regions, () => undefined);
      for (const [index, { embedding, embeddingSource }] of embedded!.entries()) {
        expect(embeddingSource).toBe('aligned');
        const similarity = cosineSimilarity(embedding!, unit(faces[index]!.embedding));
        expect(similarity).toBeGreaterThanOrEqual(0.8);
      }
    },
  );
});

/** Prepares a published model like the service. */
async function openPart(name: string, axes: FreeAxes): Promise<ModelSession> {
  return openBytes(prepareOnnx(await readFile(shared('parts', `${name}.onnx`)), axes));
}

function goldenPhotos(): [string, GoldenPhoto][] {
  const path = shared('golden/starter.json');
  if (!existsSync(path)) return [];
  const { faces } = JSON.parse(readFileSync(path, 'utf8')) as {
    readonly faces: Record<string, GoldenPhoto>;
  };
  return Object.entries(faces);
}

/** Clamps a reference box to the photo, like the pipeline. */
function goldenBox(
  { bbox_xyxy }: GoldenFace,
  { width, height }: Pick<GoldenPhoto, 'width' | 'height'>,
): BoundingBox {
  const [x1, y1, x2, y2] = bbox_xyxy;
  const [x, y] = [Math.max(0, x1), Math.max(0, y1)];
  return { x, y, w: Math.min(x2, width) - x, h: Math.min(y2, height) - y };
}

function overlap(face: DetectedFace, box: BoundingBox): number {
  return intersectionOverUnion(face.bbox, box);
}

function bestMatch(faces: readonly DetectedFace[], box: BoundingBox): DetectedFace {
  return faces.reduce((best, face) => (overlap(face, box) > overlap(best, box) ? face : best));
}

function compare(faces: readonly DetectedFace[], expected: GoldenFace, photo: GoldenPhoto): void {
  const box = goldenBox(expected, photo);
  const face = bestMatch(faces, box);
  expect(overlap(face, box)).toBeGreaterThanOrEqual(0.95);
  expect(Math.abs(face.confidence - expected.score)).toBeLessThan(0.01);
  expect(landmarkError(face, expected)).toBeLessThanOrEqual(0.02);
  expect(cosineSimilarity(face.embedding!, unit(expected.embedding))).toBeGreaterThanOrEqual(0.98);
}

/** The largest landmark error, relative to the longer side of the face. */
function landmarkError(face: DetectedFace, { kps, bbox_xyxy }: GoldenFace): number {
  const [x1, y1, x2, y2] = bbox_xyxy;
  const distances = kps.map(([x, y], index) =>
    Math.hypot(face.landmarks![index]!.x - x, face.landmarks![index]!.y - y),
  );
  return Math.max(...distances) / Math.max(x2 - x1, y2 - y1);
}

/** The reference vectors have a few digits, so their length is not exactly 1. */
function unit(values: readonly number[]): Float32Array {
  const length = Math.hypot(...values);
  return Float32Array.from(values, (value) => value / length);
}
