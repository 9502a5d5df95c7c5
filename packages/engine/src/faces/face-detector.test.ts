import { describe, expect, test } from '@jest/globals';
import { describeWithShared } from '@sightline/test/support/gates/describe-with-shared';
import { shared } from '@sightline/test/support/fixtures/shared';
import type { Raster } from '../image/raster.ts';
import type { FloatTensor } from '../onnx/session.ts';
import { openFile } from '../onnx/testing/open-file.ts';
import { FaceDetector, type FaceDetectorSpec } from './face-detector.ts';
import { decodePhoto } from './testing/decode-photo.ts';
import { fakeSession } from './testing/fake-session.ts';
import { type DrawnFace, scrfdOutputs } from './testing/scrfd-outputs.ts';

const SPEC: FaceDetectorSpec = {
  architecture: 'scrfd',
  preprocess: { mean: [127.5, 127.5, 127.5], std: [128, 128, 128], colorOrder: 'rgb' },
};
const STRIDES = [8, 16, 32];

/** @param side the longer side of the network's input in pixels */
type FacesOfPass = (side: number, pass: number) => readonly DrawnFace[];

function net(faces: FacesOfPass, side: number | null = null) {
  let pass = 0;
  return fakeSession({
    input: [1, 3, side, side],
    outputs: [1, 1, 1, 4, 4, 4].map((length) => [null, length]),
    compute: ({ dims: [, , height, width] }: FloatTensor) =>
      scrfdOutputs(
        { width: width!, height: height!, strides: STRIDES, anchors: 2, hasLandmarks: false },
        faces(Math.max(width!, height!), pass++),
      ),
  });
}

/**
 * Draws a square face around the center (at, at) of the network's input; `at` must be a multiple of
 * 8.
 */
function drawn(at: number, halfSide: number, score: number): DrawnFace {
  const half = { left: halfSide, top: halfSide, right: halfSide, bottom: halfSide };
  return { level: 0, column: at / 8, row: at / 8, score, ...half };
}

function plain(width: number, height: number): Raster {
  return { data: new Uint8Array(3 * width * height).fill(128), width, height };
}

const off = { threshold: 0.5, fullFramePass: false };
const on = { ...off, fullFramePass: true };

describe('FaceDetector', () => {
  test('returns boxes in pixels of the image, best first', async () => {
    const session = net(() => [drawn(160, 32, 0.7), drawn(480, 32, 0.9)]);
    const faces = await new FaceDetector(session, SPEC).detect(plain(1280, 1280), off);
    expect(faces.map(({ box, score }) => [box.x1, box.y2, Math.round(score * 10)])).toEqual([
      [896, 1024, 9],
      [256, 384, 7],
    ]);
    expect(session.seen.map(({ dims }) => dims)).toEqual([[1, 3, 640, 640]]);
  });

  test.each([
    [640, 480, [480, 640]],
    [1000, 750, [480, 640]],
    [500, 750, [640, 448]],
    [4000, 100, [32, 640]],
  ])('cuts the input to an image of %d x %d', async (width, height, size) => {
    const [free, square] = [net(() => []), net(() => [])];
    await new FaceDetector(free, SPEC).detect(plain(width, height), off);
    expect(free.seen[0]!.dims).toEqual([1, 3, ...size]);
    const spec = { ...SPEC, letterbox: 'square' } as const;
    await new FaceDetector(square, spec).detect(plain(width, height), off);
    expect(square.seen[0]!.dims).toEqual([1, 3, 640, 640]);
  });

  test('cuts the input to multiples of the largest stride', async () => {
    const session = fakeSession({
      input: [1, 3, null, null],
      outputs: [1, 1, 1, 1, 1, 4, 4, 4, 4, 4].map((length) => [null, length]),
      compute: ({ dims: [, , height, width] }: FloatTensor) =>
        scrfdOutputs(
          {
            width: width!,
            height: height!,
            strides: [...STRIDES, 64, 128],
            anchors: 1,
            hasLandmarks: false,
          },
          [],
        ),
    });
    await new FaceDetector(session, SPEC).detect(plain(1000, 500), off);
    expect(session.seen[0]!.dims).toEqual([1, 3, 384, 640]);
  });

  test('uses the requested size only if the network accepts any', async () => {
    const spec = { ...SPEC, size: { width: 320, height: 320 } };
    const [free, fixed] = [net(() => []), net(() => [], 640)];
    await new FaceDetector(free, spec).detect(plain(640, 640), off);
    await new FaceDetector(fixed, spec).detect(plain(640, 640), off);
    expect(free.seen[0]!.dims).toEqual([1, 3, 320, 320]);
    expect(fixed.seen[0]!.dims).toEqual([1, 3, 640, 640]);
  });

  test('fits the image into a fixed input', async () => {
    const session = net(() => [drawn(80, 32, 0.7)], 320);
    const [face] = await new FaceDetector(session, SPEC).detect(plain(640, 640), off);
    expect(session.seen[0]!.dims).toEqual([1, 3, 320, 320]);
    expect(face!.box).toEqual({ x1: 96, y1: 96, x2: 224, y2: 224 });
  });

  test('keeps the best of overlapping boxes', async () => {
    const session = net(() => [drawn(160, 32, 0.7), drawn(168, 32, 0.9)]);
    const faces = await new FaceDetector(session, SPEC).detect(plain(640, 640), off);
    expect(faces.map(({ box }) => box.x1)).toEqual([136]);
  });

  test('counts the edge pixels of small boxes when they overlap', async () => {
    // The boxes of 5x5 pixels are shifted by two, so 20 of 30 pixels overlap. Without the edge
    // pixels, only a third would overlap.
    const near = { ...drawn(160, 2, 0.9), right: 2, left: 2 };
    const moved = { ...drawn(160, 2, 0.8), anchor: 1, left: 0, right: 4 };
    const session = net(() => [near, moved]);
    expect(await new FaceDetector(session, SPEC).detect(plain(640, 640), off)).toHaveLength(1);
  });

  test('returns the best 500 if the threshold accepts everything', async () => {
    const crowd = Array.from({ length: 900 }, (_, i) => ({
      ...drawn(8 * (i % 60), 3, 0.01 + i / 1000),
      row: Math.floor(i / 60),
    }));
    const faces = await new FaceDetector(
      net(() => crowd),
      SPEC,
    ).detect(plain(640, 640), {
      ...off,
      threshold: 0,
    });
    const scores = faces.map(({ score }) => Math.round(score * 1000) - 10);
    expect(scores).toEqual(Array.from({ length: 500 }, (_, i) => 899 - i));
  });
});

describe('candidates for turned faces', () => {
  /** A network with landmarks that finds these faces. */
  const withLandmarks = (faces: readonly DrawnFace[]) =>
    fakeSession({
      input: [1, 3, 640, 640],
      outputs: [1, 1, 1, 4, 4, 4, 10, 10, 10].map((length) => [null, length]),
      compute: () =>
        scrfdOutputs(
          { width: 640, height: 640, strides: STRIDES, anchors: 2, hasLandmarks: true },
          faces,
        ),
    });
  const search = (faces: readonly DrawnFace[], options = off) =>
    new FaceDetector(withLandmarks(faces), SPEC).search(plain(640, 640), options);
  const scoresOf = (found: readonly { readonly score: number }[]) =>
    found.map(({ score }) => Math.round(score * 100));

  test('score less than the threshold, and do not overlap a face', async () => {
    const found = await search([
      drawn(160, 32, 0.9),
      drawn(168, 32, 0.4),
      drawn(320, 32, 0.45),
      drawn(480, 32, 0.21),
      drawn(560, 32, 0.19),
    ]);
    expect(scoresOf(found.faces)).toEqual([90]);
    expect(scoresOf(found.candidates)).toEqual([45, 21]);
    const low = await search([drawn(480, 32, 0.21)], { ...off, threshold: 0.1 });
    expect([low.faces.length, low.candidates.length]).toEqual([1, 0]);
  });

  test('are no parts of a face', async () => {
    const found = await search([drawn(320, 128, 0.9), drawn(328, 32, 0.4)]);
    expect(found.candidates).toEqual([]);
  });

  test('are at most 16, the best ones', async () => {
    const many = Array.from({ length: 40 }, (_, i) => ({
      ...drawn(8 * (i + 1), 3, 0.25 + i / 200),
      row: 20,
    }));
    const { candidates } = await search(many);
    const centers = candidates.map(({ box }) => (box.x1 + box.x2) / 2);
    expect(centers).toEqual(Array.from({ length: 16 }, (_, i) => 8 * (40 - i)));
  });

  test('are none if the network finds no landmarks', async () => {
    const session = net(() => [drawn(160, 32, 0.4)]);
    const found = await new FaceDetector(session, SPEC).search(plain(640, 640), off);
    expect(found).toEqual({ faces: [], candidates: [] });
  });

  test('do not change the passes', async () => {
    const session = net(() => [drawn(160, 32, 0.4)]);
    await new FaceDetector(session, SPEC).search(plain(640, 640), on);
    expect(session.seen).toHaveLength(2);
  });
});

describe('a long picture', () => {
  // 4800 x 640 is searched as a whole and in tiles of 1280 pixels at 0, 880, 1760, 2640 and 3520, which the network
  // sees at half their size.
  const image = plain(4800, 640);
  const detect = async (faces: FacesOfPass, options = off) => {
    const session = net(faces);
    const found = await new FaceDetector(session, SPEC).detect(image, options);
    return { boxes: found.map(({ box }) => [box.x1, box.y1, box.x2, box.y2]), session };
  };

  test('is searched as a whole and in tiles', async () => {
    const { boxes, session } = await detect((_, pass) => (pass === 2 ? [drawn(160, 32, 0.9)] : []));
    expect(session.seen).toHaveLength(6);
    expect(boxes).toEqual([[1136, 256, 1264, 384]]);
  });

  test('shows each face once', async () => {
    // The face at 1000 is in the first two tiles.
    const inTile = [500, 60] as const;
    const { boxes } = await detect((_, pass) =>
      pass === 1 || pass === 2 ? [{ ...drawn(inTile[pass - 1]!, 32, 0.7), row: 20 }] : [],
    );
    expect(boxes).toHaveLength(1);
  });

  test('ignores faces that a tile cuts off, but not at the edge of the picture', async () => {
    const atLeft = (tile: number) =>
      detect((_, pass) => (pass === tile ? [drawn(32, 32, 0.9)] : []));
    expect((await atLeft(1)).boxes).toHaveLength(1);
    expect((await atLeft(2)).boxes).toHaveLength(0);
  });

  test('does not take a part of a face for a face', async () => {
    // The large face in the whole picture is around (1200, 300), as is the small one in the second tile.
    const sidesWith = async (large: readonly DrawnFace[]) => {
      const part = [drawn(160, 16, 0.9)];
      const { boxes } = await detect((_, pass) => (pass === 0 ? large : pass === 2 ? part : []));
      return boxes.map(([left, , right]) => Math.round((right! - left!) / 10));
    };
    expect(await sidesWith([{ ...drawn(160, 32, 0.8), row: 5 }])).toEqual([48]);
    expect(await sidesWith([])).toEqual([6]);
  });

  test('runs the full-frame pass once', async () => {
    const { session } = await detect(() => [], on);
    expect(session.seen.map(({ dims }) => dims[3])).toEqual([640, 192, 640, 640, 640, 640, 640]);
  });
});

describe('the full-frame pass', () => {
  const none: readonly DrawnFace[] = [];
  const image = plain(384, 768);

  test('runs only if it is enabled and no face is certain', async () => {
    const passes = async (score: number, options: typeof off) => {
      const session = net((side) => (side === 640 ? [drawn(160, 32, score)] : none));
      await new FaceDetector(session, SPEC).detect(image, options);
      return session.seen.map(({ dims }) => dims[2]);
    };
    expect(await passes(0.59, off)).toEqual([640]);
    expect(await passes(0.61, on)).toEqual([640]);
    expect(await passes(0.59, on)).toEqual([640, 192]);
  });

  test('accepts only faces larger than a third of the shorter side', async () => {
    const found = async (halfSide: number) => {
      const session = net((side) => (side === 192 ? [drawn(48, halfSide, 0.9)] : none));
      return (await new FaceDetector(session, SPEC).detect(image, on)).length;
    };
    expect(await found(15.9)).toBe(0);
    expect(await found(16.1)).toBe(1);
  });

  test('shares one suppression with the first pass', async () => {
    const session = net((side) => [side === 192 ? drawn(48, 40, 0.9) : drawn(160, 133, 0.55)]);
    const faces = await new FaceDetector(session, SPEC).detect(image, on);
    expect(faces.map(({ score }) => Math.round(score * 100))).toEqual([90]);
  });

  test('puts the small image into the corner of a fixed input', async () => {
    const session = net((_side, pass) => (pass === 1 ? [drawn(48, 40, 0.9)] : none), 320);
    const [face] = await new FaceDetector(session, SPEC).detect(image, on);
    expect(face!.box).toEqual({ x1: 32, y1: 32, x2: 352, y2: 352 });
    const { dims, data } = session.seen[1]!;
    expect(dims).toEqual([1, 3, 320, 320]);
    const row = (y: number) => Array.from(data.subarray(y * 320, y * 320 + 320));
    expect(row(0).filter((value) => value > 0)).toHaveLength(96);
    expect(row(191).filter((value) => value > 0)).toHaveLength(96);
    expect(row(192).filter((value) => value > 0)).toHaveLength(0);
  });

  test('does not run if the input is not larger', async () => {
    const session = net(() => none, 160);
    await new FaceDetector(session, SPEC).detect(image, on);
    expect(session.seen).toHaveLength(1);
  });
});

describeWithShared('a face that fills the frame', () => {
  test('is found only with the option', async () => {
    await using session = await openFile(shared('packs/insightface/scrfd_2.5g_bnkps.onnx'));
    const detector = new FaceDetector(session, SPEC);
    const photo = await decodePhoto(shared('photos/people/009_C.jpg'));
    const face = { x: 103, y: 126, width: 139, height: 193 };
    const closeUp = cut(photo, face);
    expect(await detector.detect(closeUp, off)).toHaveLength(0);
    const found = await detector.detect(closeUp, on);
    expect(found).toHaveLength(1);
    const { box, landmarks } = found[0]!;
    expect((box.x2 - box.x1) / face.width).toBeGreaterThan(0.9);
    expect((box.y2 - box.y1) / face.height).toBeGreaterThan(0.9);
    expect(landmarks).toHaveLength(5);
  });
});

function cut(
  { data, width }: Raster,
  part: { x: number; y: number; width: number; height: number },
): Raster {
  const rows = Array.from({ length: part.height }, (_, row) => {
    const start = 3 * ((part.y + row) * width + part.x);
    return data.subarray(start, start + 3 * part.width);
  });
  return { data: Buffer.concat(rows), width: part.width, height: part.height };
}
