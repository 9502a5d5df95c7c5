import { describe, expect, test } from '@jest/globals';
import { nearestTurn } from '@sightline/core/analysis/face-landmarks';
import type { FaceRegion } from '@sightline/core/analysis/image-analyzer';
import { mapFromTurned, turnImage } from '../image/quarter-turn.ts';
import type { Raster } from '../image/raster.ts';
import { applyAffine } from '../math/affine.ts';
import { noise } from '../math/testing/noise.ts';
import { embedRegions } from './embed-regions.ts';
import { FaceDetector } from './face-detector.ts';
import { FaceRecognizer } from './face-recognizer.ts';
import { fakeSession } from './testing/fake-session.ts';
import { type DrawnFace, scrfdOutputs } from './testing/scrfd-outputs.ts';

const SPEC = { mean: [0, 0, 0], std: [1, 1, 1], colorOrder: 'rgb' } as const;
const SHAPE = { width: 192, height: 192, strides: [8, 16, 32], anchors: 2, hasLandmarks: true };
const image = noise(300, 200);

/** An image whose brightness grows to the right and, more slowly, downwards. */
const GRADIENT: Raster = {
  width: 300,
  height: 200,
  data: Uint8Array.from({ length: 3 * 300 * 200 }, (_, i) => {
    const pixel = Math.floor(i / 3);
    return (pixel % 300) / 2 + Math.floor(pixel / 300) / 4;
  }),
};

const LANDMARKS = [
  { x: 110, y: 80 },
  { x: 150, y: 82 },
  { x: 131, y: 105 },
  { x: 114, y: 125 },
  { x: 147, y: 126 },
];
const BOX = { x: 90, y: 40, w: 80, h: 96 };

/** The face in BOX, in pixels of the network's input. The input enlarges the 144x144 pixels around BOX to 192x192. */
const SEEN: DrawnFace = {
  level: 0,
  column: 12,
  row: 12,
  score: 0.8,
  left: 52,
  right: 52,
  top: 64,
  bottom: 64,
  landmarks: [
    { x: -24, y: -24 },
    { x: 24, y: -24 },
    { x: 0, y: 0 },
    { x: -16, y: 24 },
    { x: 16, y: 24 },
  ],
};

/**
 * Makes a detector that finds these faces, and a recognizer whose embedding consists of five values of the image, so
 * that it distinguishes images.
 */
function models(faces: readonly DrawnFace[], hasLandmarks = true) {
  const shape = { ...SHAPE, hasLandmarks };
  const detection = fakeSession({
    input: [1, 3, null, null],
    outputs: [1, 1, 1, 4, 4, 4, 10, 10, 10]
      .slice(0, hasLandmarks ? 9 : 6)
      .map((length) => [null, length]),
    // Only the first close-up shows the faces; the smaller ones, which are turned, show none.
    compute: ({ dims: [, , height, width] }) =>
      scrfdOutputs(
        { ...shape, height: height!, width: width! },
        width === SHAPE.width ? faces : [],
      ),
  });
  const recognition = fakeSession({
    input: [null, 3, 112, 112],
    outputs: [[1, null]],
    compute: ({ data }) => [data.filter((_, index) => index % 7000 === 3500)],
  });
  const detector = new FaceDetector(detection, { architecture: 'scrfd', preprocess: SPEC });
  const recognizer = new FaceRecognizer(recognition, SPEC);
  return { detection, recognition, detector, recognizer };
}

async function embed(given: ReturnType<typeof models>, regions: readonly FaceRegion[]) {
  const stages: string[] = [];
  const items = await embedRegions(given, { raster: image, regions }, (stage, milliseconds) => {
    expect(milliseconds).toBeGreaterThanOrEqual(0);
    stages.push(stage);
  });
  return { items, stages };
}

const expectUnit = (embedding: Float32Array | null) =>
  expect(Math.hypot(...embedding!)).toBeCloseTo(1, 5);

describe('embedRegions', () => {
  test('aligns by the given landmarks without searching', async () => {
    const given = models([SEEN]);
    const { items, stages } = await embed(given, [{ bbox: BOX, landmarks: LANDMARKS }]);
    expect(items).toEqual([
      { embedding: expect.any(Float32Array), embeddingSource: 'aligned', landmarks: LANDMARKS },
    ]);
    expectUnit(items[0]!.embedding);
    expect(stages).toEqual(['align', 'embed']);
    expect(given.detection.seen).toHaveLength(0);
    // The landmarks take precedence, so a moved box changes nothing.
    const moved = await embed(given, [{ bbox: { ...BOX, x: 80 }, landmarks: LANDMARKS }]);
    expect(moved.items[0]!.embedding).toEqual(items[0]!.embedding);
  });

  test('aligns by the landmarks of the face that it finds in the box', async () => {
    const given = models([SEEN]);
    const { items, stages } = await embed(given, [{ bbox: BOX, landmarks: null }]);
    expect(stages).toEqual(['detect', 'align', 'embed']);
    expect(given.detection.seen.map(({ dims }) => dims)).toEqual([[1, 3, 192, 192]]);
    const { embeddingSource, landmarks, embedding } = items[0]!;
    expect(embeddingSource).toBe('aligned');
    // The crop and the box have the same center, and four pixels of the crop are three pixels of
    // the image.
    const expected = SEEN.landmarks!.map(({ x, y }) => ({ x: 130 + x * 0.75, y: 88 + y * 0.75 }));
    for (const [index, { x, y }] of landmarks!.entries()) {
      expect(x).toBeCloseTo(expected[index]!.x, 4);
      expect(y).toBeCloseTo(expected[index]!.y, 4);
    }
    const again = await embed(given, [{ bbox: BOX, landmarks }]);
    expect(again.items[0]!.embedding).toEqual(embedding);
  });

  test('embeds the box if it contains no face', async () => {
    const none = await embed(models([]), [{ bbox: BOX, landmarks: null }]);
    expect(none.items[0]).toMatchObject({ embeddingSource: 'box', landmarks: null });
    expectUnit(none.items[0]!.embedding);
    const beside = { ...SEEN, column: 3, left: 20, right: 20 };
    expect(await embed(models([beside]), [{ bbox: BOX, landmarks: null }])).toEqual(none);
    const unsure = { ...SEEN, score: 0.29 };
    expect(await embed(models([unsure]), [{ bbox: BOX, landmarks: null }])).toEqual(none);
    const blind = models([SEEN], false);
    expect(await embed(blind, [{ bbox: BOX, landmarks: null }])).toEqual(none);
  });

  test.each([90, 180, 270] as const)('turns the box of a face by %i degrees', async (turned) => {
    const back = nearestTurn(-turned);
    const upright = turnImage(GRADIENT, back);
    const toImage = mapFromTurned(GRADIENT, back);
    const corners = [BOX, { x: BOX.x + BOX.w, y: BOX.y + BOX.h }];
    const [one, other] = corners.map((point) => applyAffine(toImage, point));
    const bbox = {
      x: Math.min(one!.x, other!.x),
      y: Math.min(one!.y, other!.y),
      w: Math.abs(one!.x - other!.x),
      h: Math.abs(one!.y - other!.y),
    };
    const region = { bbox, landmarks: null };
    const blind = models([], false);
    const pixelsOf = async (raster: Raster, given: FaceRegion) => {
      const [item] = await embedRegions(blind, { raster, regions: [given] }, () => undefined);
      return item!.embedding!;
    };
    const expected = await pixelsOf(upright, { bbox: BOX, landmarks: null });
    const found = await pixelsOf(GRADIENT, { ...region, turned });
    for (const [i, value] of found.entries()) expect(value).toBeCloseTo(expected[i]!, 2);
    const asUpright = await pixelsOf(GRADIENT, region);
    expect(asUpright.every((value, i) => Math.abs(value - expected[i]!) < 0.02)).toBe(false);
  });

  test('makes no embedding if the given landmarks are implausible in all directions', async () => {
    const point = { x: 120, y: 90 };
    for (const landmarks of [[point, point, point, point, point], LANDMARKS.toReversed()]) {
      const { items } = await embed(models([]), [{ bbox: BOX, landmarks }]);
      expect(items).toEqual([{ embedding: null, embeddingSource: null, landmarks: null }]);
    }
  });

  test('returns embeddings in the order of the regions', async () => {
    const given = models([SEEN]);
    const regions = [
      { bbox: BOX, landmarks: LANDMARKS },
      { bbox: BOX, landmarks: null },
      { bbox: { x: 10, y: 10, w: 50, h: 60 }, landmarks: null },
    ];
    const { items, stages } = await embed(given, regions);
    expect(stages).toEqual(['detect', 'align', 'embed']);
    const alone = await Promise.all(regions.map((region) => embed(given, [region])));
    expect(items).toEqual(alone.flatMap((one) => one.items));
    expect(new Set(items.map(({ embedding }) => embedding!.join())).size).toBe(3);
  });

  test.each([
    ['without extent', { x: 50, y: 50, w: 0, h: 0 }],
    ['a line', { x: 50, y: 50, w: 200, h: 0 }],
    ['far thinner than a pixel', { x: 50, y: 50, w: 1e-200, h: 1e-200 }],
    ['with negative sides', { x: 50, y: 50, w: -20, h: -5 }],
    ['outside', { x: 5000, y: -5000, w: 20, h: 20 }],
    ['at the corner', { x: 300, y: 200, w: 0, h: 0 }],
    ['everything', { x: 0, y: 0, w: 300, h: 200 }],
  ])('is finite for a box %s', async (_what, bbox) => {
    const { items } = await embed(models([]), [{ bbox, landmarks: null }]);
    expect(items[0]).toMatchObject({ embeddingSource: 'box', landmarks: null });
    expect(items[0]!.embedding).toHaveLength(5);
    expect([...items[0]!.embedding!].every(Number.isFinite)).toBe(true);
  });
});
