import { deflateSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { ImageCorrupt, UnsupportedFormat } from '@sightline/core/sources/image-errors';
import type { Raster } from './raster.ts';
import { sharp } from './sharp.ts';
import { decode, fixture, meanDifference } from './testing/fixture.ts';
import { type TiffFields, type TiffPage, writeTiff } from './testing/write-tiff.ts';

const RGB = 2;
const CMYK = 5;
const YCBCR = 6;
const ZERO = () => 0;
const CHECKERED = (pixel: number) => (pixel % 3 === 0 ? 255 : 0);

const SIZE = { width: 63, height: 47 };

let small: Raster;

beforeAll(async () => {
  small = await decode(fixture('small.png'));
  expect(small).toMatchObject(SIZE);
});

/** The values of each pixel of the small image, from its color and its number. */
function values(of: (color: readonly number[], pixel: number) => readonly number[]): Uint8Array {
  const { data, width, height } = small;
  return Uint8Array.from(
    Array.from({ length: width * height }, (_, i) =>
      of([...data.subarray(3 * i, 3 * i + 3)], i),
    ).flat(),
  );
}

function layout(photometric: number, channels: number, more: TiffFields = {}): TiffFields {
  return {
    256: [SIZE.width],
    257: [SIZE.height],
    258: Array.from({ length: channels }, () => 8),
    259: [1],
    262: [photometric],
    277: [channels],
    278: [SIZE.height],
    284: [1],
    ...more,
  };
}

/** Splits interleaved values into one strip per channel. */
function planes(data: Uint8Array, channels: number): Uint8Array[] {
  return Array.from({ length: channels }, (_, channel) =>
    data.filter((_value, i) => i % channels === channel),
  );
}

function onWhite(alphaOf: (pixel: number) => number): Raster {
  const data = small.data.map((value, i) => {
    const alpha = alphaOf(Math.floor(i / 3)) / 255;
    return Math.round(value * alpha + 255 * (1 - alpha));
  });
  return { ...small, data };
}

const clamped = (value: number) => Math.min(255, Math.max(0, Math.round(value)));

function ycbcr(
  [red = 0, green = 0, blue = 0]: readonly number[],
  kr = 0.299,
  kb = 0.114,
): number[] {
  const y = kr * red + (1 - kr - kb) * green + kb * blue;
  return [y, (blue - y) / (2 - 2 * kb) + 128, (red - y) / (2 - 2 * kr) + 128].map(clamped);
}

/** Packs bytes by PackBits (TIFF 6.0, section 9) in runs of up to 128 equal bytes, and others one by one. */
function packBits(bytes: Uint8Array): Uint8Array {
  const packed: number[] = [];
  for (let at = 0; at < bytes.length;) {
    let count = 1;
    while (count < 128 && bytes[at + count] === bytes[at]) count += 1;
    packed.push(count === 1 ? 0 : 257 - count, bytes[at]!);
    at += count;
  }
  return Uint8Array.from(packed);
}

describe('PackBits', () => {
  const size = { width: 203, height: 300 };

  test.each([
    ['1 bit', 1, 1, 300],
    ['1 bit, in several strips', 1, 1, 140],
    ['1 bit, in short strips', 1, 1, 16],
    ['8 bits', 8, 1, 300],
    ['RGB', 8, 3, 300],
  ])('is read with runs that cross rows: %s', async (...[, bits, channels, rowsPerStrip]) => {
    const rowBytes = Math.ceil((size.width * bits * channels) / 8);
    const bytes = Uint8Array.from({ length: rowBytes * size.height }, (_, i) =>
      Math.floor(i / (3 * rowBytes)) % 2 === 0 ? 255 : Math.floor(i / 7) % 2,
    );
    const strips = Array.from({ length: Math.ceil(size.height / rowsPerStrip) }, (_, i) =>
      bytes.subarray(i * rowsPerStrip * rowBytes, (i + 1) * rowsPerStrip * rowBytes),
    );
    const fields = layout(channels === 1 ? 1 : RGB, channels, {
      256: [size.width],
      257: [size.height],
      258: Array.from({ length: channels }, () => bits),
      278: [rowsPerStrip],
    });
    const plain = await decode(writeTiff({ fields, parts: strips }));
    const packed = writeTiff({ fields: { ...fields, 259: [32773] }, parts: strips.map(packBits) });
    expect(meanDifference(await decode(packed), plain)).toBe(0);
  });

  test('that is cut off is damaged', async () => {
    const bytes = new Uint8Array(size.width * size.height).fill(7);
    const fields = layout(1, 1, { 256: [size.width], 257: [size.height], 278: [size.height] });
    const parts = [packBits(bytes).subarray(0, -20)];
    const packed = writeTiff({ fields: { ...fields, 259: [32773] }, parts });
    await expect(decode(packed)).rejects.toThrow(ImageCorrupt);
  });

  test.each([
    ['no width', { 256: [0] }],
    ['no rows per strip', { 278: [0] }],
    ['more rows per strip than rows', { 278: [2 ** 32 - 1] }],
    ['strips that share bytes', { 278: [1], 273: Array(300).fill(8), 279: Array(300).fill(400) }],
  ])('with %s is refused or read', async (_of, fields) => {
    const bytes = new Uint8Array(size.width * size.height).fill(7);
    const all = layout(1, 1, { 256: [size.width], 257: [size.height], 259: [32773], ...fields });
    const outcome = decode(writeTiff({ fields: all, parts: [packBits(bytes)] }));
    await outcome.catch((error: unknown) => expect(error).toBeInstanceOf(ImageCorrupt));
  });
});

describe('YCbCr', () => {
  const subsampling = { 530: [1, 1] };

  test('is converted to RGB', async () => {
    const tiff = writeTiff({
      fields: layout(YCBCR, 3, subsampling),
      parts: [values((c) => ycbcr(c))],
    });
    expect(meanDifference(await decode(tiff), small)).toBeLessThan(1);
  });

  test('is converted if it is compressed', async () => {
    const tiff = writeTiff({
      fields: layout(YCBCR, 3, { ...subsampling, 259: [8] }),
      parts: [deflateSync(values((c) => ycbcr(c)))],
    });
    expect(meanDifference(await decode(tiff), small)).toBeLessThan(1);
  });

  test('is converted to sRGB from the profile of the file', async () => {
    const p3 = await sharp(fixture('small-p3.png'), { ignoreIcc: true }).raw().toBuffer();
    const { icc } = await sharp(fixture('small-p3.png')).metadata();
    const parts = [values((_, i) => ycbcr([...p3.subarray(3 * i, 3 * i + 3)]))];
    const tiff = writeTiff({ fields: layout(YCBCR, 3, { ...subsampling, 34675: icc! }), parts });
    expect(meanDifference(await decode(tiff), small)).toBeLessThan(2);
  });
});

describe('channels behind the colors', () => {
  const fade = (pixel: number) => 255 - (pixel % 63) * 4;
  interface Extras {
    readonly extras: number[];
    readonly of: ((pixel: number) => number)[];
    readonly alpha?: (pixel: number) => number;
  }
  const cases: [what: string, channels: Extras][] = [
    ['unspecified, empty', { extras: [0], of: [ZERO] }],
    ['unspecified', { extras: [0], of: [CHECKERED] }],
    ['two', { extras: [0, 0], of: [ZERO, CHECKERED] }],
    ['five', { extras: [0, 0, 0, 0, 0], of: [ZERO, CHECKERED, ZERO, ZERO, CHECKERED] }],
    ['alpha', { extras: [2], of: [fade], alpha: fade }],
    ['alpha, and another one', { extras: [2, 0], of: [fade, CHECKERED], alpha: fade }],
    ['another one, and alpha', { extras: [0, 2], of: [CHECKERED, fade], alpha: fade }],
  ];

  test.each(cases)('in RGB: %s', async (_, { extras, of, alpha }) => {
    const expected = alpha === undefined ? small : onWhite(alpha);
    const channels = 3 + extras.length;
    const data = values((color, i) => [...color, ...of.map((value) => value(i))]);
    const fields = layout(RGB, channels, { 338: extras });
    const interleaved = await decode(writeTiff({ fields, parts: [data] }));
    expect(meanDifference(interleaved, expected)).toBeLessThan(1);
    const parts = planes(data, channels);
    const separate = await decode(writeTiff({ fields: { ...fields, 284: [2] }, parts }));
    expect(meanDifference(separate, expected)).toBeLessThan(1);
  });

  test('that no field describes are not alpha', async () => {
    const data = values((color) => [...color, 0]);
    const raster = await decode(writeTiff({ fields: layout(RGB, 4), parts: [data] }));
    expect(meanDifference(raster, small)).toBe(0);
  });

  test('are blended if the colors are premultiplied', async () => {
    const data = values((color, i) => [
      ...color.map((value) => Math.round((value * fade(i)) / 255)),
      CHECKERED(i),
      fade(i),
    ]);
    const fields = layout(RGB, 5, { 338: [0, 1] });
    const raster = await decode(writeTiff({ fields, parts: [data] }));
    // The colors of nearly transparent pixels have lost most of their precision.
    expect(meanDifference(raster, onWhite(fade))).toBeLessThan(3);
  });

  test('in gray and in CMYK', async () => {
    const gray = (color: readonly number[]) => clamped((color[0]! + color[1]! + color[2]!) / 3);
    const withExtras = values((color, i) => [gray(color), 0, CHECKERED(i)]);
    const grays = await decode(
      writeTiff({ fields: layout(1, 3, { 338: [0, 0] }), parts: [withExtras] }),
    );
    const plain = await decode(
      writeTiff({ fields: layout(1, 1), parts: [values((c) => [gray(c)])] }),
    );
    expect(meanDifference(grays, plain)).toBe(0);

    const inks = (color: readonly number[]) => [...color.map((value) => 255 - value), 0];
    const four = await decode(writeTiff({ fields: layout(CMYK, 4), parts: [values(inks)] }));
    const data = values((color, i) => [...inks(color), CHECKERED(i), 0]);
    const six = await decode(
      writeTiff({ fields: layout(CMYK, 6, { 338: [0, 0] }), parts: [data] }),
    );
    expect(meanDifference(six, four)).toBe(0);
  });
});

describe('a variant that is not supported', () => {
  const cases: [
    name: string,
    colors: [photometric: number, channels: number],
    fields?: TiffFields,
  ][] = [
    ['compression ZStandard', [RGB, 3], { 259: [50000] }],
    ['compression LZMA', [RGB, 3], { 259: [34925] }],
    ['compression old-style JPEG', [YCBCR, 3], { 259: [6] }],
    ['compression 12345', [RGB, 3], { 259: [12_345] }],
    ['CIE L*a*b*', [8, 3]],
    ['transparency mask', [4, 1]],
    ['LogLuv', [32_845, 3]],
    ['photometric interpretation 99', [99, 3]],
    ['other inks than CMYK', [CMYK, 4], { 332: [2] }],
    ['CMYK with alpha and 16 bits', [CMYK, 5], { 258: [16, 16, 16, 16, 16], 338: [2] }],
    ['12 bits', [1, 1], { 258: [12] }],
    ['different depths', [RGB, 3], { 258: [5, 6, 5] }],
    ['floating-point', [RGB, 3], { 258: [32, 32, 32], 339: [3, 3, 3] }],
    ['2 of 3 color channels', [RGB, 2]],
    ['more than 8 channels', [RGB, 9]],
    ['YCbCr in separate planes', [YCBCR, 3], { 284: [2] }],
    ['YCbCr with further channels', [YCBCR, 4]],
    ['gray with further channels in separate planes', [1, 2], { 284: [2] }],
    ['tiles of separate planes', [RGB, 3], { 284: [2], 322: [16], 323: [16] }],
  ];

  test.each(cases)('is named: %s', async (name, [photometric, channels], fields = {}) => {
    const parts = [new Uint8Array(channels * SIZE.width * SIZE.height)];
    const tiff = writeTiff({ fields: layout(photometric, channels, fields), parts });
    const decoding = decode(tiff);
    await expect(decoding).rejects.toThrow(UnsupportedFormat);
    await expect(decoding).rejects.toThrow(name);
  });
});

describe('further directories', () => {
  const page = (width: number, fields: TiffFields = {}): TiffPage => ({
    fields: { ...layout(RGB, 3), 256: [width], 257: [1], 278: [1], ...fields },
    parts: [new Uint8Array(3 * width)],
  });
  const REDUCED = { 254: [1] };
  const SENSOR = { 262: [32_803], 258: [8], 277: [1] };

  test.each<[what: string, pages: TiffPage[]]>([
    ['a DNG', [page(8, { 50706: new Uint8Array([1, 4, 0, 0]) })]],
    ['a thumbnail and values of a sensor', [{ ...page(8, REDUCED), nested: [page(64, SENSOR)] }]],
    ['values of a sensor on a later page', [page(8), page(64), page(64, SENSOR)]],
    ['values of a sensor', [page(64, SENSOR)]],
    ['the linear values of a sensor', [page(64, { 262: [34_892] })]],
  ])('of a camera: %s', async (_, pages) => {
    await expect(decode(writeTiff(...pages))).rejects.toThrow('Camera raw files');
  });

  test('after the signature of Canon', async () => {
    const raw = Buffer.concat([
      Buffer.from('II*\0\x10\0\0\0CR\x02\0\0\0\0\0', 'latin1'),
      Buffer.alloc(64),
    ]);
    await expect(decode(new Uint8Array(raw))).rejects.toThrow('Camera raw files');
  });

  test.each<[what: string, pages: TiffPage[]]>([
    ['nested', [{ ...page(8, REDUCED), nested: [page(64)] }]],
    ['nested, without a mark', [{ ...page(8), nested: [page(64)] }]],
    ['on the next page', [page(8, REDUCED), page(64)]],
  ])('with the image of which the first one is a thumbnail: %s', async (_, pages) => {
    await expect(decode(writeTiff(...pages))).rejects.toThrow('thumbnail');
  });

  test.each<[what: string, pages: TiffPage[]]>([
    ['smaller versions', [{ ...page(64), nested: [page(8, REDUCED)] }]],
    ['pages', [page(64), page(128)]],
    ['none, and a wrong mark', [page(64, REDUCED)]],
  ])('that are harmless: %s', async (_, pages) => {
    expect(await decode(writeTiff(...pages))).toMatchObject({ width: 64, height: 1 });
  });
});

test('missing or damaged tiles are not replaced by black', async () => {
  const tile = deflateSync(new Uint8Array(3 * 16 * 16).fill(200));
  const fields = { ...layout(RGB, 3, { 259: [8], 322: [16], 323: [16] }), 256: [32], 257: [16] };
  const whole = writeTiff({ fields, parts: [tile, tile] });
  const { data } = await decode(whole);
  expect(data.every((value) => value === 200)).toBe(true);

  const damaged = Buffer.from(whole);
  damaged.fill(0x55, damaged.lastIndexOf(tile) + 4, damaged.lastIndexOf(tile) + tile.length);
  await expect(decode(new Uint8Array(damaged))).rejects.toThrow(ImageCorrupt);

  const missing = writeTiff({ fields: { ...fields, 324: [8, 1_000_000] }, parts: [tile, tile] });
  await expect(decode(missing)).rejects.toThrow(ImageCorrupt);
});
