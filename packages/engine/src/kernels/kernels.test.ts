import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Raster } from '../image/raster.ts';
import { bestClasses } from '../math/best-classes.ts';
import { drawFit, type Fit } from '../math/fit.ts';
import { packInto, packTensor, type PreprocessSpec } from '../math/pack-tensor.ts';
import type { Size } from '../math/resize-bilinear.ts';
import { noise } from '../math/testing/noise.ts';
import { warpAffine } from '../math/warp-affine.ts';
import { bestClasses as bestClassesByKernel } from './best-classes.ts';
import { drawFit as drawFitByKernel } from './draw-fit.ts';
import { indicesFrom } from './indices-from.ts';
import { packFit } from './pack-fit.ts';
import { packInto as packIntoByKernel } from './pack-tensor.ts';
import { warpAffine as warpAffineByKernel } from './warp-affine.ts';

/**
 * Compares two arrays by their bytes, because Jest takes seconds to compare large arrays value by
 * value.
 */
function same(a: Uint8Array | Float32Array, b: Uint8Array | Float32Array): boolean {
  const bytes = (array: Uint8Array | Float32Array) =>
    Buffer.from(array.buffer, array.byteOffset, array.byteLength);
  return bytes(a).equals(bytes(b));
}

const side = (max: number) => fc.integer({ min: 1, max });
const size = (max: number) => fc.record({ width: side(max), height: side(max) });
/**
 * Images to resize. Noise causes every kind of rounding, and the other images often yield results
 * exactly between two values.
 */
const raster = (max: number) =>
  fc.oneof(
    size(max).map(({ width, height }) => noise(width, height)),
    size(max).map(({ width, height }) => blackAndWhite(width, height)),
    fc
      .tuple(size(max), fc.nat(255))
      .map(([{ width, height }, value]) => plain(width, height, value)),
  );

function blackAndWhite(width: number, height: number): Raster {
  return { data: noise(width, height).data.map((v) => (v > 127 ? 255 : 0)), width, height };
}

function plain(width: number, height: number, value: number): Raster {
  return { data: new Uint8Array(3 * width * height).fill(value), width, height };
}

const fit = fc
  .record({
    image: size(90),
    left: fc.nat(20),
    top: fc.nat(20),
    right: fc.nat(20),
    bottom: fc.nat(20),
    fill: fc.constantFrom(0, 114),
    smooth: fc.boolean(),
  })
  .map(({ image, left, top, right, bottom, ...rest }) => ({
    ...rest,
    image,
    left,
    top,
    size: { width: left + image.width + right, height: top + image.height + bottom },
    scaleX: 1,
    scaleY: 1,
  }));

const mean = fc.double({ min: 0, max: 255, noNaN: true });
const deviation = fc.double({ min: 0.5, max: 300, noNaN: true });
const spec = fc.record<PreprocessSpec>({
  mean: fc.tuple(mean, mean, mean),
  std: fc.tuple(deviation, deviation, deviation),
  colorOrder: fc.constantFrom('rgb', 'bgr'),
});

const GRAY: PreprocessSpec = {
  mean: [127.5, 127.5, 127.5],
  std: [128, 128, 128],
  colorOrder: 'rgb',
};

function packedFit(source: Raster, { fit, spec }: Parameters<typeof packFit>[2]): Float32Array {
  const tensor = new Float32Array(3 * fit.size.width * fit.size.height).fill(NaN);
  packFit(tensor, source, { fit, spec });
  return tensor;
}

function stretched(image: Size, smooth: boolean): Fit {
  return { size: image, image, left: 0, top: 0, scaleX: 1, scaleY: 1, fill: 0, smooth };
}

describe('a kernel has exactly the results of the reference', () => {
  test('resizing, for any sizes and margins', () => {
    fc.assert(
      fc.property(raster(120), fit, (source, to) => {
        expect(same(drawFitByKernel(source, to), drawFit(source, to))).toBe(true);
      }),
      { numRuns: 400 },
    );
  });

  // The cases cover halves and whole ratios, spans of one, two and many pixels, strips of one and
  // many rows, and a target row whose source rows do not fit into memory.
  test.each([
    { from: [64, 48], to: [32, 24] },
    { from: [62, 46], to: [31, 23] },
    { from: [90, 60], to: [30, 20] },
    { from: [64, 48], to: [16, 12] },
    { from: [160, 120], to: [120, 90] },
    { from: [120, 96], to: [100, 48] },
    { from: [101, 100], to: [100, 99] },
    { from: [819, 546], to: [640, 427] },
    { from: [3000, 40], to: [7, 3] },
    { from: [40, 3000], to: [3, 7] },
    { from: [40_000, 64], to: [33, 1] },
    { from: [65_535, 3], to: [3, 3] },
    { from: [65_535, 3], to: [65_535, 2] },
    { from: [3, 3], to: [4000, 5] },
  ] as const)('resizing from $from to $to', ({ from, to: [width, height] }) => {
    for (const source of [noise(from[0], from[1]), blackAndWhite(from[0], from[1])]) {
      for (const smooth of [false, true]) {
        const to = stretched({ width, height }, smooth);
        expect(same(drawFitByKernel(source, to), drawFit(source, to))).toBe(true);
      }
    }
  });

  test('from pixels to a tensor in one pass', () => {
    fc.assert(
      fc.property(raster(120), fit, spec, (source, to, preprocess) => {
        const expected = packTensor(drawFit(source, to), to.size, preprocess);
        expect(same(packedFit(source, { fit: to, spec: preprocess }), expected)).toBe(true);
      }),
      { numRuns: 400 },
    );
  });

  test('a tensor of many strips', () => {
    const source = noise(700, 500);
    const to = {
      ...stretched({ width: 640, height: 427 }, false),
      size: { width: 640, height: 640 },
    };
    const expected = packTensor(drawFit(source, to), to.size, GRAY);
    expect(same(packedFit(source, { fit: to, spec: GRAY }), expected)).toBe(true);
  });

  test('packing, also of more pixels than a strip holds', () => {
    fc.assert(
      fc.property(raster(150), spec, ({ data, width, height }, preprocess) => {
        const expected = new Float32Array(3 * width * height);
        const actual = new Float32Array(3 * width * height);
        packInto(expected, data, preprocess);
        packIntoByKernel(actual, data, preprocess);
        expect(same(actual, expected)).toBe(true);
      }),
    );
  });
});

describe('warping has exactly the results of the reference', () => {
  const coefficient = fc.double({ min: -4, max: 4, noNaN: true });
  const shift = fc.double({ min: -150, max: 150, noNaN: true });
  const affine = fc.record({
    a: coefficient,
    b: coefficient,
    tx: shift,
    c: coefficient,
    d: coefficient,
    ty: shift,
  });

  test('for any map', () => {
    fc.assert(
      fc.property(raster(100), affine, size(40), (source, map, to) => {
        const expected = warpAffine(source, map, to);
        expect(same(warpAffineByKernel(source, map, to), expected)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test('for turned faces, whole positions and edges', () => {
    const source = noise(300, 200);
    const to = { width: 112, height: 112 };
    for (const [scale, angle, tx, ty] of [
      [1, 0, 0, 0],
      [1, 0, 5, -7],
      [0.5, 0, 0, 0],
      [2, 0.3, -100, -50],
      [0.4, -1.2, 60, 110],
      [0.3, 3.1, 112, 60],
      [1, 0, 400, 0],
      [1, 0, -299, -199],
      [1, 0, -299.5, -199.5],
    ] as const) {
      const a = scale * Math.cos(angle);
      const c = scale * Math.sin(angle);
      const map = { a, b: -c, tx, c, d: a, ty };
      expect(same(warpAffineByKernel(source, map, to), warpAffine(source, map, to))).toBe(true);
    }
  });

  test('for a part of the image that does not fit into memory', () => {
    const source = noise(1500, 1400);
    const map = { a: 0.07, b: 0.01, tx: 1, c: -0.01, d: 0.07, ty: 2 };
    const to = { width: 112, height: 112 };
    expect(same(warpAffineByKernel(source, map, to), warpAffine(source, map, to))).toBe(true);
  });

  test.each([
    ['singular', { a: 0, b: 0, tx: 3, c: 0, d: 0, ty: 4 }],
    ['not a number', { a: NaN, b: 0, tx: 0, c: 0, d: 1, ty: 0 }],
    ['infinite', { a: 1, b: 0, tx: Infinity, c: 0, d: 1, ty: 0 }],
    ['tiny', { a: 1e-30, b: 0, tx: 0, c: 0, d: 1e-30, ty: 0 }],
    ['huge', { a: 1e30, b: 0, tx: 0, c: 0, d: 1e30, ty: 0 }],
    ['far away', { a: 1, b: 1, tx: 1e9, c: 1, d: -1, ty: -1e9 }],
  ])('for a map that is %s', (_, map) => {
    const source = noise(50, 40);
    const to = { width: 20, height: 30 };
    expect(same(warpAffineByKernel(source, map, to), warpAffine(source, map, to))).toBe(true);
  });
});

/** Makes scores with few different values, so that many scores are equal. */
function scoresOf(count: number): Float32Array {
  return Float32Array.from(noise(Math.ceil(count / 3), 1).data.subarray(0, count), (v) => v / 256);
}

describe('scores', () => {
  test.each([
    [1, 1],
    [5, 3],
    [80, 333],
    [3, 20_001],
  ])('the best of %i classes in %i cells', (classes, cells) => {
    const table = scoresOf(classes * cells);
    expect(bestClassesByKernel(table, cells)).toEqual(bestClasses(table, cells));
  });

  test.each([0, 1, 3, 4, 1001, 32_769, 70_002])('those of %i that reach a threshold', (count) => {
    const values = scoresOf(count);
    if (count > 2) values[2] = NaN;
    for (const threshold of [0, 0.45, 0.5, 0.99, 2]) {
      const expected = Array.from(values.keys()).filter(
        (i) => values[i]! >= Math.fround(threshold),
      );
      expect(indicesFrom(values, threshold)).toEqual(expected);
    }
  });

  test('a score just above the threshold is found, whichever way the threshold is rounded', () => {
    for (const threshold of [0.1, 0.3, 0.45, 0.7]) {
      const next = new Float32Array([threshold]);
      new Uint32Array(next.buffer)[0]! += next[0]! > threshold ? 0 : 1;
      expect(next[0]).toBeGreaterThan(threshold);
      expect(indicesFrom(next, threshold)).toEqual([0]);
    }
  });
});
