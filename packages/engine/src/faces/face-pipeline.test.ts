import { describe, expect, test } from '@jest/globals';
import type { Raster } from '../image/raster.ts';
import { FaceDetector } from './face-detector.ts';
import { type FaceModels, FacePipeline } from './face-pipeline.ts';
import { FaceRecognizer } from './face-recognizer.ts';
import { GenderAgeEstimator } from './gender-age-estimator.ts';
import { HeadPoseEstimator } from './head-pose-estimator.ts';
import { MEAN_SHAPE_68 } from './mean-shape-68.ts';
import { fakeSession } from './testing/fake-session.ts';
import { type DrawnFace, scrfdOutputs } from './testing/scrfd-outputs.ts';

const SPEC = { mean: [0, 0, 0], std: [1, 1, 1], colorOrder: 'rgb' } as const;
const SHAPE = { width: 64, height: 64, strides: [8, 16, 32], anchors: 2, hasLandmarks: true };
const image: Raster = { data: new Uint8Array(3 * 64 * 64).fill(90), width: 64, height: 64 };
const options = {
  detectionThreshold: 0.5,
  embed: true,
  attributes: true,
  fullFramePass: false,
  upright: false,
};

const landmarks = [
  { x: -8, y: -8 },
  { x: 8, y: -8 },
  { x: 0, y: 0 },
  { x: -6, y: 8 },
  { x: 6, y: 8 },
];
const middle: DrawnFace = {
  level: 0,
  column: 4,
  row: 4,
  score: 0.75,
  left: 10,
  top: 12,
  right: 10,
  bottom: 12,
  landmarks,
};
/** A face around (0, 56), so that its box is partly outside the image. */
const corner: DrawnFace = {
  ...middle,
  column: 0,
  row: 7,
  score: 0.875,
  landmarks: landmarks.map(({ x, y }) => ({ x: x / 2, y: 0.75 * y })),
};

function models(faces: readonly DrawnFace[], shape = SHAPE): FaceModels {
  const detector = fakeSession({
    input: [1, 3, 64, 64],
    outputs: [1, 1, 1, 4, 4, 4, 10, 10, 10].map((length) => [null, length]),
    compute: () => scrfdOutputs(shape, faces),
  });
  const estimator = (side: number, answer: Float32Array) =>
    fakeSession({ input: [null, 3, side, side], outputs: [[1, null]], compute: () => [answer] });
  return {
    detector: new FaceDetector(
      shape.hasLandmarks ? detector : { ...detector, outputs: detector.outputs.slice(0, 6) },
      { architecture: 'scrfd', preprocess: SPEC },
    ),
    recognizer: new FaceRecognizer(estimator(112, Float32Array.of(0, 5)), SPEC),
    genderAge: new GenderAgeEstimator(estimator(96, Float32Array.of(1, 0, 0.3)), {
      architecture: 'genderage',
      preprocess: SPEC,
    }),
    headPose: new HeadPoseEstimator(estimator(192, Float32Array.from(MEAN_SHAPE_68)), SPEC),
  };
}

async function analyze(given: FaceModels, changed: Partial<typeof options> = {}) {
  const stages: string[] = [];
  const faces = await new FacePipeline(given).analyze(
    image,
    { ...options, ...changed },
    (stage, milliseconds) => {
      expect(milliseconds).toBeGreaterThanOrEqual(0);
      stages.push(stage);
    },
  );
  return { faces, stages };
}

describe('FacePipeline', () => {
  test('returns the results of all models and times each stage', async () => {
    const { faces, stages } = await analyze(models([middle]));
    expect(stages).toEqual(['detect', 'align', 'embed', 'attributes']);
    expect(faces).toHaveLength(1);
    const { pose, ...face } = faces[0]!;
    expect(face).toEqual({
      bbox: { x: 22, y: 20, w: 20, h: 24 },
      confidence: 0.75,
      quality: 0.75,
      landmarks: landmarks.map(({ x, y }) => ({ x: 32 + x, y: 32 + y })),
      embedding: Float32Array.of(0, 1),
      gender: 'F',
      age: 30,
      turned: 0,
    });
    expect(pose!.map((angle) => Math.abs(Math.round(angle)))).toEqual([0, 0, 0]);
  });

  test('calibrates the quality of a face, but not its confidence', async () => {
    const knots = [
      [0.5, 0],
      [1, 0.8],
    ] as const;
    const pipeline = new FacePipeline(models([middle]), knots);
    const [face] = await pipeline.analyze(image, options, () => undefined);
    expect(face).toMatchObject({ confidence: 0.75, quality: 0.4 });
  });

  test('clamps boxes to the image, but not landmarks', async () => {
    const { faces } = await analyze(models([middle, corner]));
    expect(faces.map(({ confidence }) => confidence)).toEqual([0.875, 0.75]);
    expect(faces[0]!.bbox).toEqual({ x: 0, y: 44, w: 10, h: 20 });
    expect(faces[0]!.landmarks![0]).toEqual({ x: -4, y: 50 });
  });

  test('drops a face outside the image', async () => {
    const outside = { ...corner, left: 20, right: -4 };
    expect((await analyze(models([outside]))).faces).toEqual([]);
  });

  test('embeds from the box if the detector has no landmarks', async () => {
    const { faces } = await analyze(models([middle], { ...SHAPE, hasLandmarks: false }));
    expect(faces[0]!.landmarks).toBeNull();
    expect(faces[0]!.embedding).toEqual(Float32Array.of(0, 1));
  });

  test('runs only the requested stages', async () => {
    const { faces, stages } = await analyze(models([middle]), { embed: false, attributes: false });
    expect(stages).toEqual(['detect']);
    expect(faces[0]).toMatchObject({ embedding: null, age: null, gender: null, pose: null });
  });

  test('runs only the stages that have a model', async () => {
    const given = { ...models([middle]), recognizer: null, genderAge: null };
    const { faces, stages } = await analyze(given);
    expect(stages).toEqual(['detect', 'attributes']);
    expect(faces[0]).toMatchObject({ embedding: null, age: null, gender: null });
    expect(faces[0]!.pose).not.toBeNull();
  });

  test('embeds regions like the faces that it detects', async () => {
    const given = models([middle]);
    const { faces } = await analyze(given);
    const pipeline = new FacePipeline(given);
    const regions = [{ bbox: faces[0]!.bbox, landmarks: faces[0]!.landmarks }];
    expect(await pipeline.embedRegions(image, regions, () => undefined)).toEqual([
      {
        embedding: faces[0]!.embedding,
        embeddingSource: 'aligned',
        landmarks: faces[0]!.landmarks,
      },
    ]);
  });

  test('embeds no regions without a recognizer', async () => {
    const pipeline = new FacePipeline({ ...models([middle]), recognizer: null });
    const regions = [{ bbox: { x: 0, y: 0, w: 9, h: 9 }, landmarks: null }];
    const stages: string[] = [];
    expect(await pipeline.embedRegions(image, regions, (stage) => stages.push(stage))).toBeNull();
    expect(stages).toEqual([]);
  });

  test('runs and times no further stage for an image without faces', async () => {
    expect(await analyze(models([]))).toEqual({ faces: [], stages: ['detect'] });
  });
});
