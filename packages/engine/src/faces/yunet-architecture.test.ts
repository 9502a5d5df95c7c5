import { describe, expect, test } from '@jest/globals';
import type { Raster } from '../image/raster.ts';
import type { Size } from '../math/resize-bilinear.ts';
import { FaceDetector, type FaceDetectorSpec } from './face-detector.ts';
import { fakeSession } from './testing/fake-session.ts';
import { type YunetFace, yunetOutputs } from './testing/yunet-outputs.ts';
import { YUNET_OUTPUTS } from './yunet.ts';

const SPEC: FaceDetectorSpec = {
  architecture: 'yunet',
  preprocess: { mean: [0, 0, 0], std: [1, 1, 1], colorOrder: 'bgr' },
};
const OFF = { threshold: 0.5, fullFramePass: false };
const ON = { threshold: 0.5, fullFramePass: true };

type FacesAt = (size: Size) => readonly YunetFace[];

function net(faces: FacesAt = () => [], fixed: Size | null = null) {
  return fakeSession({
    input: [null, 3, fixed?.height ?? null, fixed?.width ?? null],
    outputs: YUNET_OUTPUTS.map(() => [null, null, null]),
    names: YUNET_OUTPUTS,
    compute: ({ dims: [, , height, width] }) => {
      const size = { width: width!, height: height! };
      const outputs = yunetOutputs(size, faces(size));
      return YUNET_OUTPUTS.map((name) => outputs[name]!);
    },
  });
}

function plain(width: number, height: number, color: readonly number[] = [128, 128, 128]): Raster {
  const data = new Uint8Array(3 * width * height);
  for (let i = 0; i < data.length; i++) data[i] = color[i % 3]!;
  return { data, width, height };
}

function face(x: number, y: number, side: number): YunetFace {
  const scores = { classScore: 0.9, objectness: 0.9 };
  return { stride: 8, center: { x, y }, width: side, height: side, ...scores };
}

function scored(score: number, seen: YunetFace): YunetFace {
  return { ...seen, classScore: score, objectness: score };
}

async function sizesSeen(width: number, height: number, options = OFF): Promise<unknown> {
  const session = net();
  await new FaceDetector(session, SPEC).detect(plain(width, height), options);
  return session.seen.map(({ dims: [, , h, w] }) => [w, h]);
}

describe('the passes of a YuNet network', () => {
  const large = [
    [640, 480],
    [1280, 960],
  ];

  test.each<[string, number[], number[][]]>([
    ['a small one, enlarged', [250, 250], [[640, 640]]],
    ['a medium one', [800, 533], [[640, 448]]],
    ['a tall one', [500, 940], [[352, 640]]],
    [
      'one with more detail',
      [960, 640],
      [
        [640, 448],
        [960, 640],
      ],
    ],
    [
      'one slightly larger than a multiple of 32',
      [1100, 1001],
      [
        [640, 608],
        [1120, 1024],
      ],
    ],
    ['a large one, shrunk to the maximum', [4032, 3024], large],
    ['one of the maximum size', [1280, 960], large],
    [
      'a strip, as a whole and in three tiles',
      [3000, 16],
      [
        [640, 32],
        [1280, 32],
        ...[1, 2, 3].flatMap(() => [
          [640, 32],
          [1280, 32],
        ]),
      ],
    ],
  ])('depend on the size of the image: %s', async (_what, [width, height], seen) => {
    expect(await sizesSeen(width!, height!)).toEqual(seen);
  });

  test('cover a thin strip from end to end, whatever its width is rounded to', async () => {
    const session = net();
    // The detector shrinks the strip to 1280 x 1.28 pixels.
    await new FaceDetector(session, SPEC).detect(plain(5000, 5), OFF);
    const [usual, fine] = session.seen.map(({ data }) => data);
    expect([usual![639], usual![640]]).toEqual([128, 0]);
    expect([fine![1279], fine![1280]]).toEqual([128, 0]);
  });

  test('are a single one if the pack or the network fixes the size', async () => {
    const preferred = { width: 640, height: 480 };
    const free = net();
    await new FaceDetector(free, { ...SPEC, size: preferred }).detect(plain(2000, 1000), ON);
    expect(free.seen.map(({ dims }) => dims)).toEqual([[1, 3, 320, 640]]);
    const square = net();
    const spec = { ...SPEC, size: preferred, letterbox: 'square' } as const;
    await new FaceDetector(square, spec).detect(plain(2000, 1000), ON);
    expect(square.seen.map(({ dims }) => dims)).toEqual([[1, 3, 480, 640]]);
    const fixed = net(undefined, { width: 320, height: 320 });
    await new FaceDetector(fixed, { ...SPEC, size: preferred }).detect(plain(2000, 1000), ON);
    expect(fixed.seen.map(({ dims }) => dims)).toEqual([[1, 3, 320, 320]]);
  });

  test('get the image as blue, green, red in the upper left corner', async () => {
    const session = net();
    await new FaceDetector(session, SPEC).detect(plain(100, 66, [10, 20, 30]), OFF);
    const { data, dims } = session.seen[0]!;
    expect(dims).toEqual([1, 3, 448, 640]);
    const plane = 448 * 640;
    // The image's 66 rows become 422.4 rows.
    const at = (channel: number, row: number) => data[channel * plane + row * 640 + 639];
    expect([0, 1, 2].map((channel) => at(channel, 421))).toEqual([30, 20, 10]);
    expect([0, 1, 2].map((channel) => at(channel, 422))).toEqual([0, 0, 0]);
  });

  test('return faces of the fine and the base pass at the same scale', async () => {
    const seen = (size: Size) => (size.width === 640 ? [face(100, 100, 60)] : [face(900, 300, 40)]);
    const faces = await new FaceDetector(net(seen), SPEC).detect(plain(2560, 1280), OFF);
    const corners = faces.map(({ box }) => [box.x1, box.y1, box.x2, box.y2].map(Math.round));
    expect(corners).toEqual([
      [280, 280, 520, 520],
      [1760, 560, 1840, 640],
    ]);
  });
});

describe('the fine pass', () => {
  const image = plain(1280, 640);
  async function addedFaces(fine: readonly YunetFace[], base: readonly YunetFace[] = []) {
    const seen = (size: Size) => (size.width === 1280 ? fine : base);
    const faces = await new FaceDetector(net(seen), SPEC).detect(image, OFF);
    return faces.length - base.length;
  }

  test('adds only faces that are too small for the base pass', async () => {
    expect(await addedFaces([face(900, 300, 63)])).toBe(1);
    expect(await addedFaces([face(900, 300, 65)])).toBe(0);
  });

  test('does not take a part of a large face for a small one', async () => {
    // In the fine pass, the large face extends from 200 to 400.
    const large = face(150, 150, 100);
    expect(await addedFaces([face(300, 300, 40)], [large])).toBe(0);
    expect(await addedFaces([face(395, 300, 40)], [large])).toBe(0);
    expect(await addedFaces([face(408, 300, 40)], [large])).toBe(1);
    expect(await addedFaces([face(300, 300, 40)], [])).toBe(1);
  });

  test('keeps a face that is mostly inside a face less than three times as large', async () => {
    // In the fine pass, the usual face extends from 80 to 120, so 16 columns overlap.
    const usual = face(50, 50, 20);
    expect(await addedFaces([face(116, 100, 24)], [usual])).toBe(1);
    expect(await addedFaces([face(115, 100, 22)], [usual])).toBe(0);
  });

  test('does not find a face twice', async () => {
    expect(await addedFaces([face(101, 100, 40)], [face(50, 50, 20)])).toBe(0);
  });

  test('accepts scores from 0.65', async () => {
    expect(await addedFaces([scored(0.64, face(900, 300, 40))])).toBe(0);
    expect(await addedFaces([scored(0.66, face(900, 300, 40))])).toBe(1);
  });
});

describe('the full-frame pass', () => {
  test('runs at 320, and only if it is enabled and no face is certain', async () => {
    expect(await sizesSeen(800, 533, ON)).toEqual([
      [640, 448],
      [320, 224],
    ]);
    expect(await sizesSeen(800, 533, OFF)).toEqual([[640, 448]]);
    const session = net(() => [scored(0.7, face(100, 100, 50))]);
    await new FaceDetector(session, SPEC).detect(plain(800, 533), ON);
    expect(session.seen).toHaveLength(1);
  });

  test('accepts faces larger than a third of the shorter side', async () => {
    // The full-frame pass shrinks the image to 320 x 160 pixels, so its shorter side is 160.
    const found = async (side: number) => {
      const seen = (size: Size) => (size.width === 320 ? [face(100, 80, side)] : []);
      return (await new FaceDetector(net(seen), SPEC).detect(plain(600, 300), ON)).length;
    };
    expect(await found(53)).toBe(0);
    expect(await found(54)).toBe(1);
  });
});

describe('a score floor', () => {
  const session = net(() => [scored(0.59, face(100, 100, 50)), scored(0.61, face(300, 300, 50))]);
  const detector = new FaceDetector(session, { ...SPEC, scoreFloor: 0.6 });
  const scores = async (threshold: number) => {
    const faces = await detector.detect(plain(640, 640), { threshold, fullFramePass: false });
    return faces.map(({ score }) => Math.round(score * 100));
  };

  test('applies below every threshold', async () => {
    expect(await scores(0.3)).toEqual([61]);
    expect(await scores(0.7)).toEqual([]);
  });

  test('does not apply to a given region', async () => {
    const close = net(() => [scored(0.4, face(96, 96, 128))]);
    const box = { x1: 100, y1: 100, x2: 164, y2: 164 };
    const [found] = await new FaceDetector(close, { ...SPEC, scoreFloor: 0.6 }).detectAround(
      plain(640, 640),
      box,
      0.3,
    );
    expect(close.seen.map(({ dims }) => dims)).toEqual([[1, 3, 192, 192]]);
    for (const corner of ['x1', 'y1', 'x2', 'y2'] as const) {
      expect(found!.box[corner]).toBeCloseTo(box[corner], 4);
    }
  });
});
