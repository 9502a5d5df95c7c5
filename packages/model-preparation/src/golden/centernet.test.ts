import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { intersectionOverUnion } from '@sightline/core/analysis/geometry';
import { COCO_CLASSES } from '@sightline/core/models/coco-classes';
import { describeWithShared } from '@sightline/test/support/gates/describe-with-shared';
import { shared } from '@sightline/test/support/fixtures/shared';
import { decodePhoto } from '@sightline/engine/faces/testing/decode-photo';
import type { ModelSession } from '@sightline/engine/onnx/session';
import { openConverted } from '../tfjs/testing/open-converted.ts';
import { publishedModel } from '../tfjs/testing/published-model.ts';
import type { DetectedObject } from '@sightline/engine/objects/detected-object';
import { ObjectDetector } from '@sightline/engine/objects/object-detector';

interface GoldenObject {
  readonly class_id: number;
  readonly score: number;
  readonly bbox_xyxy: readonly [number, number, number, number];
}

/** The least score of the compared objects. */
const MIN_SCORE = 0.45;

describeWithShared('CenterNet against the reference results', () => {
  let net: ModelSession;
  let detector: ObjectDetector;

  beforeAll(async () => {
    net = await openConverted(publishedModel('centernet'), ['tower_0/keypoints', 'tower_0/wh']);
    detector = new ObjectDetector(net, {
      architecture: 'centernet',
      size: { width: 512, height: 512 },
      preprocess: { mean: [0, 0, 0], std: [1, 1, 1], colorOrder: 'rgb' },
      classes: COCO_CLASSES,
    });
  });
  afterAll(() => net[Symbol.asyncDispose]());

  async function find(photo: string, confidenceThreshold: number): Promise<DetectedObject[]> {
    const raster = await decodePhoto(shared('photos/objects', photo));
    return detector.detect(raster, { confidenceThreshold, classFilter: [] });
  }

  test.each([
    ['bus.jpg', 4],
    ['dog.jpg', 2],
    ['horses.jpg', 2],
  ])('%s', async (photo, count) => {
    const golden = JSON.parse(readFileSync(shared('golden/starter.json'), 'utf8')) as {
      readonly objects: Record<string, readonly GoldenObject[]>;
    };
    const expected = golden.objects[photo]!.filter(({ score }) => score > MIN_SCORE);
    const found = await find(photo, MIN_SCORE);
    expect(expected).toHaveLength(count);
    expect(found.map(({ classId }) => classId)).toEqual(expected.map(({ class_id }) => class_id));
    for (const [index, { score, bbox_xyxy }] of expected.entries()) {
      const { bbox, confidence } = found[index]!;
      const [x1, y1, x2, y2] = bbox_xyxy;
      const box = { x: x1, y: y1, w: x2 - x1, h: y2 - y1 };
      expect(intersectionOverUnion(bbox, box)).toBeGreaterThanOrEqual(0.9);
      expect(Math.abs(confidence - score)).toBeLessThan(0.02);
    }
  });

  test('merges several peaks of one object', async () => {
    const buses = (await find('bus.jpg', 0.22)).filter(({ className }) => className === 'bus');
    expect(buses).toHaveLength(1);
  });
});
