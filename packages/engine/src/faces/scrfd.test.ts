import { describe, expect, test } from '@jest/globals';
import { decodeScrfd } from './scrfd.ts';
import { scrfdOutputs, type ScrfdShape } from './testing/scrfd-outputs.ts';

const three: ScrfdShape = {
  width: 64,
  height: 32,
  strides: [8, 16, 32],
  anchors: 2,
  hasLandmarks: true,
};
const landmarks = [
  { x: -4, y: -4 },
  { x: 4, y: -4 },
  { x: 0, y: 0 },
  { x: -3, y: 5 },
  { x: 3, y: 5 },
];
const face = {
  level: 1,
  column: 3,
  row: 1,
  anchor: 1,
  score: 0.75,
  left: 10,
  top: 12,
  right: 11,
  bottom: 14,
  landmarks,
};
/** The box of FACE, whose anchor's center is at (48, 16). */
const box = { x1: 38, y1: 4, x2: 59, y2: 30 };

function decode(shape: ScrfdShape, threshold = 0.5) {
  const { width, height } = shape;
  return decodeScrfd(scrfdOutputs(shape, [face]), { width, height, threshold });
}

describe('decodeScrfd', () => {
  test("reads distances from the anchor's center, in strides", () => {
    expect(decode(three)).toEqual([
      { box, score: 0.75, landmarks: landmarks.map(({ x, y }) => ({ x: 48 + x, y: 16 + y })) },
    ]);
  });

  test('has no landmarks if the network has none', () => {
    expect(decode({ ...three, hasLandmarks: false })).toEqual([
      { box, score: 0.75, landmarks: null },
    ]);
  });

  test('infers one anchor per center from the number of scores', () => {
    const outputs = scrfdOutputs({ ...three, anchors: 1 }, [{ ...face, anchor: 0 }]);
    expect(decodeScrfd(outputs, { width: 64, height: 32, threshold: 0.5 })[0]!.box).toEqual(box);
  });

  test.each([false, true])(
    'has strides up to 128 if there are five (landmarks: %p)',
    (hasLandmarks) => {
      const shape = {
        width: 192,
        height: 128,
        strides: [8, 16, 32, 64, 128],
        anchors: 1,
        hasLandmarks,
      };
      const large = { ...face, level: 4, column: 1, row: 0, anchor: 0 };
      const found = decodeScrfd(scrfdOutputs(shape, [large]), { ...shape, threshold: 0.5 });
      expect(found.map((candidate) => candidate.box)).toEqual([
        { x1: 118, y1: -12, x2: 139, y2: 14 },
      ]);
      expect(found[0]!.landmarks === null).toBe(!hasLandmarks);
    },
  );

  test('keeps a score at the threshold and drops lower ones', () => {
    expect(decode(three, 0.75)).toHaveLength(1);
    expect(decode(three, 0.76)).toHaveLength(0);
  });

  test('drops a NaN score', () => {
    const outputs = scrfdOutputs(three, [{ ...face, score: NaN }]);
    expect(decodeScrfd(outputs, { width: 64, height: 32, threshold: 0 })).toHaveLength(
      outputs[0]!.length + outputs[1]!.length + outputs[2]!.length - 1,
    );
  });

  test('refuses outputs of another network', () => {
    const input = { width: 64, height: 32, threshold: 0.5 };
    const outputs = scrfdOutputs(three, []);
    expect(() => decodeScrfd(outputs.slice(0, 8), input)).toThrow('6, 9, 10 or 15 outputs, not 8');
    expect(() => decodeScrfd(outputs, { ...input, width: 72 })).toThrow('1 or 2 anchors');
  });
});
