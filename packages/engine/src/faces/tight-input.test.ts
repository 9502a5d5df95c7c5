import { existsSync, readdirSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { intersectionOverUnion } from '@sightline/core/analysis/geometry';
import { cosineSimilarity } from '@sightline/core/matching/cosine-similarity';
import { describeWithShared } from '@sightline/test/support/gates/describe-with-shared';
import { shared } from '@sightline/test/support/fixtures/shared';
import type { ModelSession } from '../onnx/session.ts';
import { openFile } from '../onnx/testing/open-file.ts';
import { FaceDetector } from './face-detector.ts';
import { FacePipeline } from './face-pipeline.ts';
import { FaceRecognizer } from './face-recognizer.ts';
import { decodePhoto } from './testing/decode-photo.ts';

const OPTIONS = {
  detectionThreshold: 0.5,
  embed: true,
  attributes: false,
  fullFramePass: true,
  upright: false,
};
/** A face that scores barely more than the threshold may score barely less with other padding. */
const SURE = 0.55;
const gray = (mean: number, std: number) =>
  ({ mean: [mean, mean, mean], std: [std, std, std], colorOrder: 'rgb' }) as const;

describeWithShared('an input that is cut to the image', () => {
  const sessions: ModelSession[] = [];
  let square: FacePipeline;
  let tight: FacePipeline;

  beforeAll(async () => {
    const detection = await openFile(shared('packs/insightface/scrfd_2.5g_bnkps.onnx'));
    const recognition = await openFile(shared('packs/insightface/w600k_mbf_int8.onnx'));
    sessions.push(detection, recognition);
    const spec = { architecture: 'scrfd', preprocess: gray(127.5, 128) } as const;
    const recognizer = new FaceRecognizer(recognition, gray(127.5, 127.5));
    const pipelineOf = (detector: FaceDetector) =>
      new FacePipeline({ detector, recognizer, genderAge: null, headPose: null });
    square = pipelineOf(new FaceDetector(detection, { ...spec, letterbox: 'square' }));
    tight = pipelineOf(new FaceDetector(detection, spec));
  });
  afterAll(async () => {
    for (const session of sessions) await session[Symbol.asyncDispose]();
  });

  let compared = 0;

  test.each(photos())('has the same faces as a square one: %s', async (photo) => {
    const raster = await decodePhoto(shared(photo));
    const find = (pipeline: FacePipeline) => pipeline.analyze(raster, OPTIONS, () => undefined);
    const [padded, cut] = [await find(square), await find(tight)];
    for (const [some, others] of [
      [padded, cut],
      [cut, padded],
    ] as const) {
      for (const face of some.filter(({ confidence }) => confidence > SURE)) {
        const overlap = (other: typeof face) => intersectionOverUnion(other.bbox, face.bbox);
        const same = others.find((other) => overlap(other) >= 0.95);
        compared += 1;
        expect(same).toBeDefined();
        expect(cosineSimilarity(same!.embedding!, face.embedding!)).toBeGreaterThanOrEqual(0.97);
      }
    }
  });

  test('most photos have faces that were compared', () => {
    expect(compared).toBeGreaterThan(70);
  });
});

/** All shared photos; none without the shared folder. */
function photos(): readonly string[] {
  return ['people', 'objects'].flatMap((folder) =>
    existsSync(shared('photos', folder))
      ? readdirSync(shared('photos', folder)).map((name) => `photos/${folder}/${name}`)
      : ['none'],
  );
}
