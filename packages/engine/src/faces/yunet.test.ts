import { describe, expect, test } from '@jest/globals';
import { type YunetFace, yunetOutputs } from './testing/yunet-outputs.ts';
import { decodeYunet, YUNET_OUTPUTS } from './yunet.ts';

const SIZE = { width: 96, height: 64 };
const LANDMARKS = [
  { x: -6, y: -4 },
  { x: 6, y: -4 },
  { x: 0, y: 1 },
  { x: -5, y: 7 },
  { x: 5, y: 7 },
];
const FACE: YunetFace = {
  stride: 16,
  center: { x: 42, y: 37 },
  width: 24,
  height: 30,
  classScore: 0.81,
  objectness: 0.64,
  landmarks: LANDMARKS,
};

const decode = (faces: readonly YunetFace[], threshold = 0.5) =>
  decodeYunet(yunetOutputs(SIZE, faces), { ...SIZE, threshold });

describe('decodeYunet', () => {
  test.each([8, 16, 32] as const)('reads box, score and landmarks at stride %p', (stride) => {
    const [face, ...others] = decode([{ ...FACE, stride }]);
    expect(others).toEqual([]);
    expect(face!.score).toBeCloseTo(0.72, 6);
    expect(face!.box.x1).toBeCloseTo(30, 4);
    expect(face!.box.y1).toBeCloseTo(22, 4);
    expect(face!.box.x2).toBeCloseTo(54, 4);
    expect(face!.box.y2).toBeCloseTo(52, 4);
    for (const [index, { x, y }] of face!.landmarks!.entries()) {
      expect(x).toBeCloseTo(42 + LANDMARKS[index]!.x, 4);
      expect(y).toBeCloseTo(37 + LANDMARKS[index]!.y, 4);
    }
  });

  test('reads the cells row by row', () => {
    // The faces are in the last cell of the first row and in the first cell of the second row.
    const faces = decode([
      { ...FACE, center: { x: 95, y: 1 } },
      { ...FACE, center: { x: 1, y: 17 } },
    ]);
    const centers = faces.map(({ box }) => [(box.x1 + box.x2) / 2, (box.y1 + box.y2) / 2]);
    expect(centers.map((center) => center.map(Math.round))).toEqual([
      [95, 1],
      [1, 17],
    ]);
  });

  test('clamps class score and objectness to 0..1, as OpenCV does', () => {
    expect(decode([{ ...FACE, classScore: 1.21, objectness: 1.44 }])[0]!.score).toBe(1);
    expect(decode([{ ...FACE, classScore: 4, objectness: 0.25 }])[0]!.score).toBe(0.5);
    expect(decode([{ ...FACE, classScore: -1, objectness: -1 }])).toEqual([]);
  });

  test('keeps a score at the threshold and drops lower ones', () => {
    const half = { ...FACE, classScore: 0.5, objectness: 0.5 };
    expect(decode([half], 0.5)).toHaveLength(1);
    expect(decode([half], 0.51)).toHaveLength(0);
  });

  test('drops a NaN score', () => {
    const cells = 12 * 8 + 6 * 4 + 3 * 2;
    expect(decode([{ ...FACE, classScore: NaN }], 0)).toHaveLength(cells - 1);
  });

  test('refuses outputs of another network', () => {
    const outputs = yunetOutputs(SIZE, []);
    const input = { ...SIZE, threshold: 0.5 };
    const blind = Object.fromEntries(
      Object.entries(outputs).filter(([name]) => name !== 'bbox_16'),
    );
    expect(() => decodeYunet(blind, input)).toThrow('24 x 4 values in bbox_16, not none');
    expect(() => decodeYunet(outputs, { ...input, width: 128 })).toThrow('cls_8, not 96');
    expect(() => decodeYunet(outputs, { ...input, height: 70 })).toThrow(RangeError);
  });

  test('lists its outputs by name', () => {
    expect(Object.keys(yunetOutputs(SIZE, [])).toSorted()).toEqual(YUNET_OUTPUTS.toSorted());
  });
});
