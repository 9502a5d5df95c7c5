import { describe, expect, test } from '@jest/globals';
import { noise } from '../math/testing/noise.ts';
import { alignFace, isAlignedSide } from './align-face.ts';

const TEMPLATE = [
  { x: 38.2946, y: 51.6963 },
  { x: 73.5318, y: 51.5014 },
  { x: 56.0252, y: 71.7366 },
  { x: 41.5493, y: 92.3655 },
  { x: 70.7299, y: 92.2041 },
];
const MEAN = [
  [0.28, 0.39],
  [0.72, 0.39],
  [0.5, 0.58],
  [0.32, 0.74],
  [0.68, 0.74],
];
const box = { x1: 20, y1: 10, x2: 92, y2: 112 };

describe('alignFace', () => {
  test('copies a face that is already aligned', () => {
    const image = noise(112, 112);
    expect(alignFace(image, { box, landmarks: TEMPLATE }, 112)).toEqual(image.data);
  });

  test('rotates an upside-down face', () => {
    const image = noise(112, 112);
    const turned = TEMPLATE.map(({ x, y }) => ({ x: 111 - x, y: 111 - y }));
    const aligned = alignFace(image, { box, landmarks: turned }, 112);
    const pixel = (data: Uint8Array, index: number) => Array.from(data.slice(index, index + 3));
    const last = 3 * (112 * 112 - 1);
    expect(pixel(aligned, 0)).toEqual(pixel(image.data, last));
    expect(pixel(aligned, last)).toEqual(pixel(image.data, 0));
  });

  test('shows more around the face at 128, at the same scale', () => {
    const image = noise(112, 112);
    const aligned = alignFace(image, { box, landmarks: TEMPLATE }, 128);
    // At a side of 128 pixels, the face moves eight columns to the right and does not move down.
    const row = aligned.slice(3 * 8, 3 * (8 + 112));
    expect(row).toEqual(image.data.slice(0, 3 * 112));
    expect(Array.from(aligned.slice(0, 24))).toEqual(Array.from({ length: 24 }, () => 0));
  });

  test('uses the mean landmarks without landmarks, or if all coincide', () => {
    const image = noise(120, 120);
    const fromBox = alignFace(image, { box, landmarks: null }, 112);
    const heap = TEMPLATE.map(() => ({ x: 50, y: 50 }));
    expect(alignFace(image, { box, landmarks: heap }, 112)).toEqual(fromBox);
    const usual = MEAN.map(([x, y]) => ({ x: 20 + 72 * x!, y: 10 + 102 * y! }));
    expect(alignFace(image, { box, landmarks: usual }, 112)).toEqual(fromBox);
  });

  test.each([
    [90, ([x, y]: readonly number[]) => [1 - y!, x!]],
    [180, ([x, y]: readonly number[]) => [1 - x!, 1 - y!]],
    [270, ([x, y]: readonly number[]) => [y!, 1 - x!]],
  ] as const)('turns the mean landmarks of a face that is turned by %i degrees', (turned, turn) => {
    const image = noise(120, 120);
    const landmarks = MEAN.map(turn).map(([x, y]) => ({ x: 20 + 72 * x!, y: 10 + 102 * y! }));
    const aligned = alignFace(image, { box, landmarks: null, turned }, 112);
    const expected = alignFace(image, { box, landmarks }, 112);
    expect(aligned.every((value, i) => Math.abs(value - expected[i]!) <= 1)).toBe(true);
  });

  test('accepts the sides for which there is a template', () => {
    expect([112, 128, 224, 256, 160, 120].filter(isAlignedSide)).toEqual([112, 128, 224, 256]);
  });
});
