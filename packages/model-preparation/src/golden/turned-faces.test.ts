import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { BoundingBox, Point } from '@sightline/core/analysis/geometry';
import { cosineSimilarity } from '@sightline/core/matching/cosine-similarity';
import { FaceDetector } from '@sightline/engine/faces/face-detector';
import { FacePipeline } from '@sightline/engine/faces/face-pipeline';
import { FaceRecognizer } from '@sightline/engine/faces/face-recognizer';
import { decodePhoto } from '@sightline/engine/faces/testing/decode-photo';
import { turnRaster } from '@sightline/engine/faces/testing/turn-raster';
import type { Raster } from '@sightline/engine/image/raster';
import type { ModelSession } from '@sightline/engine/onnx/session';
import { openBytes } from '@sightline/engine/onnx/testing/open-bytes';
import { describeWithShared } from '@sightline/test/support/gates/describe-with-shared';
import { sampled } from '@sightline/test/support/gates/soak';
import { shared } from '@sightline/test/support/fixtures/shared';
import { FREE_BATCH, FREE_BATCH_AND_SIZE, type FreeAxes } from '../free-dimensions.ts';
import { prepareOnnx } from '../prepare-onnx.ts';

const PEOPLE = [
  'Halle_Berry',
  'Catherine_Zeta-Jones',
  'Angela_Bassett',
  'Abdul_Rahman',
  'Christine_Baumgartner',
  'Kareena_Kapoor',
  'Bob_Graham',
];
const OPTIONS = { embed: true, attributes: false, fullFramePass: true, upright: false };
const gray = (mean: number, std: number) =>
  ({ mean: [mean, mean, mean], std: [std, std, std], colorOrder: 'rgb' }) as const;

interface ModelFile {
  readonly file: string;
  /** The axes to free; absent for a file that is used as it is published. */
  readonly axes?: FreeAxes;
}

interface Pack {
  readonly files: readonly [detector: ModelFile, recognizer: ModelFile];
  readonly detectorOf: (session: ModelSession) => FaceDetector;
  readonly recognizerOf: (session: ModelSession) => FaceRecognizer;
  readonly detectionThreshold: number;
  /** The cosine from which on the service takes two faces for one person by default. */
  readonly matches: number;
}

const PACKS: readonly (readonly [string, Pack])[] = [
  [
    'YuNet and SFace',
    {
      files: [
        { file: 'parts/face_detection_yunet_2023mar_int8bq.onnx', axes: FREE_BATCH_AND_SIZE },
        { file: 'parts/face_recognition_sface_2021dec_int8bq.onnx', axes: FREE_BATCH },
      ],
      detectorOf: (session) =>
        new FaceDetector(session, {
          architecture: 'yunet',
          preprocess: { ...gray(0, 1), colorOrder: 'bgr' },
          scoreFloor: 0.6,
        }),
      recognizerOf: (session) => new FaceRecognizer(session, gray(0, 1)),
      detectionThreshold: 0.6,
      matches: 0.46,
    },
  ],
  [
    'SCRFD and MobileFaceNet',
    {
      files: [
        { file: 'packs/insightface/scrfd_2.5g_bnkps.onnx' },
        { file: 'packs/insightface/w600k_mbf_int8.onnx' },
      ],
      detectorOf: (session) =>
        new FaceDetector(session, { architecture: 'scrfd', preprocess: gray(127.5, 128) }),
      recognizerOf: (session) => new FaceRecognizer(session, gray(127.5, 127.5)),
      detectionThreshold: 0.5,
      matches: 0.5,
    },
  ],
];

interface Portrait {
  readonly raster: Raster;
  readonly bbox: BoundingBox;
  readonly embedding: Float32Array;
}

const angleFromUpright = (degrees: number) => (degrees > 180 ? degrees - 360 : degrees);

/** The middle of an LFW photo, where its face is. */
const MIDDLE = { x: 125, y: 125 };

describeWithShared('faces that are not upright', () => {
  describe.each(PACKS)('%s', (_, pack) => {
    const sessions: ModelSession[] = [];
    let pipeline: FacePipeline;
    let portraits: readonly Portrait[];

    beforeAll(async () => {
      for (const { file, axes } of pack.files) {
        const bytes = await readFile(shared(file));
        sessions.push(await openBytes(axes ? prepareOnnx(bytes, axes) : bytes));
      }
      const [detection, recognition] = sessions as [ModelSession, ModelSession];
      const detector = pack.detectorOf(detection);
      const recognizer = pack.recognizerOf(recognition);
      pipeline = new FacePipeline({ detector, recognizer, genderAge: null, headPose: null });
      portraits = await Promise.all(
        PEOPLE.map(async (person) => {
          const raster = await decodePhoto(shared('photos/lfw', `${person}_0001.jpg`));
          return { raster, ...(await embed(raster, MIDDLE))[0]! };
        }),
      );
    });

    afterAll(async () => {
      for (const session of sessions) await session[Symbol.asyncDispose]();
    });

    /** Returns the faces around a point of an image that have an embedding. Others are in the background. */
    async function embed(raster: Raster, { x, y }: Point) {
      const options = { ...OPTIONS, detectionThreshold: pack.detectionThreshold };
      const faces = await pipeline.analyze(raster, options, () => undefined);
      return faces.flatMap(({ bbox, embedding }) => {
        const isHere = x > bbox.x && x < bbox.x + bbox.w && y > bbox.y && y < bbox.y + bbox.h;
        return isHere && embedding !== null ? [{ bbox, embedding }] : [];
      });
    }

    test.each(sampled([60, 180, 90, 30, 45, 135, 270, 300], 2))(
      'turned by %d degrees are recognized, and no stranger is',
      async (degrees) => {
        let found = 0;
        for (const portrait of portraits) {
          const { raster: turned, place } = turnRaster(portrait.raster, degrees);
          for (const { embedding } of await embed(turned, place(MIDDLE))) {
            found += 1;
            const matches = portraits.filter(
              (other) => cosineSimilarity(embedding, other.embedding) >= pack.matches,
            );
            expect(matches).toEqual([portrait]);
          }
        }
        const isTilted = Math.abs(angleFromUpright(degrees)) <= 60;
        expect(found).toBeGreaterThanOrEqual((isTilted ? 0.9 : 0.7) * portraits.length);
      },
    );

    test.each(sampled([90, 180, 270], 1))(
      'are aligned in a box that was drawn around them, turned by %d degrees',
      async (degrees) => {
        const { raster, embedding, bbox: upright } = portraits[0]!;
        const { x, y, w, h } = upright;
        const turned = turnRaster(raster, degrees);
        const corners = [
          { x, y },
          { x: x + w, y: y + h },
        ].map(turned.place);
        const [left, right] = corners.map((corner) => corner.x).toSorted((a, b) => a - b);
        const [top, bottom] = corners.map((corner) => corner.y).toSorted((a, b) => a - b);
        const bbox = { x: left!, y: top!, w: right! - left!, h: bottom! - top! };
        const regions = [{ bbox, landmarks: null }];
        const [drawn] = (await pipeline.embedRegions(turned.raster, regions, () => undefined))!;
        expect(drawn!.embeddingSource).toBe('aligned');
        expect(cosineSimilarity(drawn!.embedding!, embedding)).toBeGreaterThan(0.75);
        const again = await pipeline.embedRegions(
          turned.raster,
          [{ bbox, landmarks: drawn!.landmarks }],
          () => undefined,
        );
        expect(again).toEqual([drawn]);
      },
    );
  });
});
