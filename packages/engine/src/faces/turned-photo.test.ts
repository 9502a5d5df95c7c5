import { existsSync, readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cosineSimilarity } from '@sightline/core/matching/cosine-similarity';
import { describeWithShared } from '@sightline/test/support/gates/describe-with-shared';
import { shared } from '@sightline/test/support/fixtures/shared';
import { IS_SOAK } from '@sightline/test/support/gates/soak';
import { mapFromTurned, turnImage } from '../image/quarter-turn.ts';
import type { Raster } from '../image/raster.ts';
import { cutTile } from '../image/tiles.ts';
import { applyAffine } from '../math/affine.ts';
import type { FloatTensor, ModelSession } from '../onnx/session.ts';
import { openFile } from '../onnx/testing/open-file.ts';
import { FaceDetector } from './face-detector.ts';
import { type DetectedFace, type FaceModels, FacePipeline } from './face-pipeline.ts';
import { FaceRecognizer } from './face-recognizer.ts';
import { findFacesInAnyTurn } from './turned-photo.ts';
import { decodePhoto } from './testing/decode-photo.ts';
import { fakeSession } from './testing/fake-session.ts';
import { scrfdOutputs } from './testing/scrfd-outputs.ts';

const QUARTERS = [90, 180, 270] as const;
const SPEC = {
  architecture: 'scrfd',
  preprocess: gray(127.5, 128),
} as const;
const OPTIONS = { detectionThreshold: 0.5, embed: true, attributes: false, fullFramePass: true };

function gray(mean: number, std: number) {
  return { mean: [mean, mean, mean], std: [std, std, std], colorOrder: 'rgb' } as const;
}

describe('the passes of a photo', () => {
  /** Returns the sizes of the passes of a network that finds one face of this score, upright or nowhere. */
  async function passes(score: number, fixed: number | null = null) {
    const session = fakeSession({
      input: [1, 3, fixed, fixed],
      outputs: [1, 1, 1, 4, 4, 4].map((length) => [null, length]),
      compute: ({ dims: [, , height, width] }: FloatTensor) =>
        scrfdOutputs(
          {
            width: width!,
            height: height!,
            strides: [8, 16, 32],
            anchors: 2,
            hasLandmarks: false,
          },
          [{ level: 0, column: 8, row: 8, score, left: 32, top: 32, right: 32, bottom: 32 }],
        ),
    });
    const image = { data: new Uint8Array(3 * 640 * 480), width: 640, height: 480 };
    const options = { detectionThreshold: 0.5, fullFramePass: false };
    await findFacesInAnyTurn(new FaceDetector(session, SPEC), image, options);
    return session.seen.map(({ dims: [, , height, width] }) => [width, height]);
  }

  test('with a certain face are no more than those of the detector', async () => {
    expect(await passes(0.9)).toEqual([[640, 480]]);
  });

  test('without a face are three glances more', async () => {
    expect(await passes(0.1)).toEqual([
      [640, 480],
      [160, 192],
      [160, 192],
      [192, 160],
    ]);
  });

  test('with an uncertain face are four glances more', async () => {
    expect(await passes(0.55)).toEqual([
      [640, 480],
      [192, 160],
      [160, 192],
      [160, 192],
      [192, 160],
    ]);
  });

  test('are no more if the network has a large fixed input', async () => {
    expect(await passes(0.1, 640)).toEqual([[640, 640]]);
  });

  test('fit into a small fixed input', async () => {
    expect(await passes(0.1, 128)).toEqual(Array(4).fill([128, 128]));
  });
});

test('a face without landmarks is embedded upright, whichever way the photo lies', async () => {
  const sumOf = (data: Float32Array) => data.reduce((sum, value) => sum + value, 0);
  const isUpright = (data: Float32Array) => {
    const half = data.length / 2;
    return sumOf(data.subarray(0, half)) > 1.5 * sumOf(data.subarray(half));
  };
  /** A network that finds a face in the middle of an image whose upper half is bright. */
  const detection = fakeSession({
    input: [1, 3, null, null],
    outputs: [1, 1, 1, 4, 4, 4].map((length) => [null, length]),
    compute: ({ data, dims: [, , height, width] }: FloatTensor) => {
      const score = isUpright(data.subarray(0, height! * width!)) ? 0.95 : 0.1;
      const [column, row] = [width! / 16, height! / 16];
      const [left, top] = [width! / 4, height! / 4];
      return scrfdOutputs(
        { width: width!, height: height!, strides: [8, 16, 32], anchors: 2, hasLandmarks: false },
        [{ level: 0, column, row, score, left, top, right: left, bottom: top }],
      );
    },
  });
  const recognition = fakeSession({
    input: [1, 3, 112, 112],
    outputs: [[1, 2]],
    compute: () => [Float32Array.of(0, 5)],
  });
  const pipeline = new FacePipeline({
    detector: new FaceDetector(detection, { ...SPEC, preprocess: gray(0, 1) }),
    recognizer: new FaceRecognizer(recognition, gray(0, 1)),
    genderAge: null,
    headPose: null,
  });
  const data = new Uint8Array(3 * 128 * 128).fill(10).fill(200, 0, (3 * 128 * 128) / 2);
  for (const quarter of [0, ...QUARTERS] as const) {
    const photo = turnImage({ data, width: 128, height: 128 }, quarter);
    const faces = await pipeline.analyze(photo, { ...OPTIONS, upright: true }, () => undefined);
    expect(faces).toMatchObject([{ turned: quarter, landmarks: null }]);
    expect(isUpright(recognition.seen.at(-1)!.data.subarray(0, 112 ** 2))).toBe(true);
  }
});

describeWithShared('photos that lie on their side', () => {
  const sessions: ModelSession[] = [];
  let models: FaceModels;
  let pipeline: FacePipeline;

  beforeAll(async () => {
    const detection = await openFile(shared('packs/insightface/scrfd_2.5g_bnkps.onnx'));
    const recognition = await openFile(shared('packs/insightface/w600k_mbf_int8.onnx'));
    sessions.push(detection, recognition);
    models = {
      detector: new FaceDetector(detection, SPEC),
      recognizer: new FaceRecognizer(recognition, gray(127.5, 127.5)),
      genderAge: null,
      headPose: null,
    };
    pipeline = new FacePipeline(models);
  });
  afterAll(async () => {
    for (const session of sessions) await session[Symbol.asyncDispose]();
  });

  const find = (raster: Raster, upright = true) =>
    pipeline.analyze(raster, { ...OPTIONS, upright }, () => undefined);

  test('are turned, too, if the faces are not embedded', async () => {
    const { detector } = models;
    const without = new FacePipeline({
      detector,
      recognizer: null,
      genderAge: null,
      headPose: null,
    });
    // The detector is certain of this face also if the photo lies, but places its landmarks as if it were upright.
    const photo = turnImage(await decodePhoto(shared('photos/people/007_B.jpg')), 90);
    const expected = await find(photo);
    expect(expected.map(({ turned }) => turned)).toEqual([90]);
    const faces = await without.analyze(photo, { ...OPTIONS, upright: true }, () => undefined);
    expect(faces).toEqual(expected.map((face) => ({ ...face, embedding: null })));
  });

  test.each(IS_SOAK ? photosOf('people') : ['people/012_4.jpg', 'people/016_8.jpg'])(
    'have the faces of the upright photo: %s',
    async (photo) => {
      const raster = await decodePhoto(shared('photos', photo));
      const upright = await find(raster);
      expect(upright).not.toEqual([]);
      for (const quarter of QUARTERS) {
        const faces = await find(turnImage(raster, quarter));
        const back = mapFromTurned(raster, quarter);
        const missed = upright.filter((face) => {
          const same = faces.find((other) => contains(face, applyAffine(back, centerOf(other))));
          if (same === undefined) return true;
          expect(same.turned).toBe(quarter);
          expect(cosineSimilarity(same.embedding!, face.embedding!)).toBeGreaterThan(0.8);
          return false;
        });
        // The smallest faces may be lost, because the turned photo is smaller.
        expect(missed.length).toBeLessThanOrEqual(upright.length / 10);
        expect(faces.length).toBeLessThanOrEqual(upright.length);
      }
    },
  );

  test('are left as they are if the option is off', async () => {
    const raster = turnImage(await decodePhoto(shared('photos/people/016_8.jpg')), 180);
    expect((await find(raster, false)).length).toBeLessThan((await find(raster)).length);
  });

  test('a photo without people has no face in any direction', async () => {
    for (const photo of photosOf('objects').filter((name) => !name.includes('bus'))) {
      for (const part of partsOf(await decodePhoto(shared('photos', photo)))) {
        expect(await find(part)).toEqual([]);
      }
    }
  });
});

function photosOf(folder: string): readonly string[] {
  const path = shared('photos', folder);
  return existsSync(path) ? readdirSync(path).map((name) => `${folder}/${name}`) : ['none'];
}

/** The image, and parts of it. */
function* partsOf(raster: Raster): Generator<Raster> {
  yield raster;
  const columns = IS_SOAK ? 8 : 2;
  const width = Math.floor(raster.width / columns);
  const height = Math.floor(raster.height / columns);
  for (let i = 0; i < columns ** 2; i++) {
    const left = (i % columns) * width;
    yield cutTile(raster, { left, top: Math.floor(i / columns) * height, width, height });
  }
}

function centerOf({ bbox }: DetectedFace) {
  return { x: bbox.x + bbox.w / 2, y: bbox.y + bbox.h / 2 };
}

function contains({ bbox }: DetectedFace, { x, y }: { readonly x: number; readonly y: number }) {
  return x > bbox.x && x < bbox.x + bbox.w && y > bbox.y && y < bbox.y + bbox.h;
}
