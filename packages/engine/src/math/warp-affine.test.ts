import { describe, expect, test } from '@jest/globals';
import { fnv1a, noise } from './testing/noise.ts';
import { warpAffine } from './warp-affine.ts';

const identity = { a: 1, b: 0, tx: 0, c: 0, d: 1, ty: 0 };

/** Checksums of the output of cv2.warpAffine (OpenCV 5.0) for the noise of `noise`. */
const CHECKSUMS = [
  {
    map: { a: 0.8, b: -0.3, tx: 5.2, c: 0.3, d: 0.8, ty: -4.1 },
    to: { width: 32, height: 32 },
    checksum: 2982584107,
  },
  {
    map: { a: 2.5, b: 0.4, tx: -40, c: -0.4, d: 2.5, ty: -10 },
    to: { width: 48, height: 36 },
    checksum: 1831617819,
  },
  {
    map: { a: 0.31, b: 0.05, tx: 3.3, c: -0.05, d: 0.31, ty: 4.4 },
    to: { width: 24, height: 24 },
    checksum: 692465222,
  },
];

describe('warpAffine', () => {
  test('the identity copies, and pixels outside are black', () => {
    const source = noise(4, 3);
    const warped = warpAffine(source, identity, { width: 5, height: 3 });
    expect(warped.slice(0, 12)).toEqual(source.data.slice(0, 12));
    expect(Array.from(warped.slice(12, 15))).toEqual([0, 0, 0]);
    expect(warped.slice(15, 27)).toEqual(source.data.slice(12, 24));
  });

  test('blends with its neighbors, and with black at the edge', () => {
    const data = Uint8Array.from([0, 100, 200, 255].flatMap((value) => [value, value, value]));
    const warped = warpAffine(
      { data, width: 2, height: 2 },
      { ...identity, tx: 0.5, ty: 0.25 },
      { width: 3, height: 3 },
    );
    const red = Array.from(warped).filter((_, index) => index % 3 === 0);
    expect(red).toEqual([0, 38, 38, 75, 183, 108, 25, 57, 32]);
  });

  test('is bit-exact to OpenCV on noise', () => {
    for (const { map, to, checksum } of CHECKSUMS) {
      expect({ map, checksum: fnv1a(warpAffine(noise(40, 30), map, to)) }).toEqual({
        map,
        checksum,
      });
    }
  });
});
