import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { ImageCorrupt, ImageTooLarge } from '@sightline/core/sources/image-errors';
import { DEFAULT_IMAGE_LIMITS } from '@sightline/core/sources/image-limits';
import { decodeImage } from './decode-image.ts';
import { PixelBudget } from './pixel-budget.ts';
import type { Raster } from './raster.ts';
import { sharp } from './sharp.ts';
import { decode, fixture, FIXTURES, meanDifference } from './testing/fixture.ts';
import { colorlessPressProfile } from './testing/colorless-press-profile.ts';

type Expectation = readonly [name: string, meanTolerance: number];

const exact = (name: string): Expectation => [name, 0];

const MASTERS: Expectation[] = [
  ['master.png', 0],
  ['master.bmp', 0],
  ['master.tiff', 0],
  ['master.webp', 0],
  ['master-lossy.webp', 2],
  ['master.jpg', 2],
  ['master.mpo', 2],
  ['master.gif', 1],
  ['master.avif', 2],
  ['master.heic', 2],
  ['master-grid.avif', 2],
  ['master-grid.heic', 2],
];

const SMALLS: Expectation[] = [
  // The variants up to the orientations are lossless, so their pixels must be identical to those of small.png.
  ...['small.png', 'small-interlaced.png', 'small-16-bit.png', 'small-animated.webp'].map(exact),
  ...['plain', 'lzw', 'deflate', 'tiled', 'big', 'pages', '16-bit', 'orientation-6']
    .map((kind) => `small-${kind}.tiff`)
    .map(exact),
  ...['24-bit', '24-bit-top-down', '32-bit', '32-bit-alpha-unset']
    .map((kind) => `small-${kind}.bmp`)
    .map(exact),
  ...[1, 2, 3, 4, 5, 6, 7, 8].map((o) => [`small-orientation-${o}.jpg`, 2] satisfies Expectation),
  ['small-progressive.jpg', 2],
  ['small-jpeg.tiff', 2],
  ['small-palette.png', 2],
  ['small-animated.gif', 2],
  ['small-16-bit.bmp', 3],
  ['small-16-bit-565.bmp', 3],
  ['small.heic', 2],
  ['small-10-bit.heic', 2],
  ['small-420.heic', 3],
  ['small-rotated.heic', 3],
  ['small-rotated.avif', 2],
  ['small-sequence.avif', 2],
  ['small-p3.png', 1],
  ['small-p3.jpg', 2],
  ['small-p3.heic', 2],
  ['small-p3.avif', 2],
  // libvips converts CMYK with a generic press profile, whose gamut is smaller than that of a
  // screen.
  ['small-cmyk.jpg', 8],
  ['small-cmyk.tiff', 8],
];

/** The variants with alpha, which decreases from left to right. */
const TRANSLUCENT: Expectation[] = [
  ['small-rgba.png', 1],
  ['small-rgba-16-bit.png', 1],
  ['small-palette-alpha.png', 2],
  ['small-rgba.tiff', 1],
  ['small-rgba.webp', 1],
  ['small-rgba.avif', 2],
  ['small-rgba.heic', 2],
  ['small-32-bit-alpha.bmp', 1],
];

const GRAYS: [name: string, bits: number, meanTolerance: number][] = [
  ['small-1-bit.bmp', 1, 0],
  ['small-4-bit.bmp', 4, 0],
  ['small-rle-4.bmp', 4, 0],
  ['small-8-bit.bmp', 8, 0],
  ['small-8-bit-core.bmp', 8, 0],
  ['small-rle-8.bmp', 8, 0],
  ['small-gray.png', 8, 3],
  ['small-gray-16-bit.png', 8, 3],
  ['small-gray.tiff', 8, 3],
  ['small-gray.jpg', 8, 3],
];

const OTHERS = ['small-transparent.gif', 'small-gray-alpha.png'];

function onWhite({ data, width, height }: Raster): Raster {
  const blended = data.map((value, i) => {
    const alpha = Math.round(255 - (255 * (Math.floor(i / 3) % width)) / (width - 1)) / 255;
    return Math.round(value * alpha + 255 * (1 - alpha));
  });
  return { data: blended, width, height };
}

function inGray({ data, width, height }: Raster, bits: number): Raster {
  const max = (1 << bits) - 1;
  const gray = data.map((_, i) => {
    const at = i - (i % 3);
    const luma = 0.299 * data[at]! + 0.587 * data[at + 1]! + 0.114 * data[at + 2]!;
    return Math.round((Math.round((luma * max) / 255) * 255) / max);
  });
  return { data: gray, width, height };
}

function withProfile(jpeg: Uint8Array, profile: Uint8Array): Uint8Array {
  const length = 2 + 14 + profile.length;
  const header = Buffer.from('\xff\xe2..ICC_PROFILE\0\x01\x01', 'latin1');
  header.writeUInt16BE(length, 2);
  return Buffer.concat([jpeg.subarray(0, 2), header, profile, jpeg.subarray(2)]);
}

describe('decodeImage', () => {
  let small: Raster;
  let master: Raster;

  beforeAll(async () => {
    const raw = async (name: string): Promise<Raster> => {
      const { data, info } = await sharp(fixture(name)).raw().toUint8Array();
      return { data: new Uint8Array(data), width: info.width, height: info.height };
    };
    [small, master] = await Promise.all([raw('small.png'), raw('master.png')]);
  });

  test.each(MASTERS)('%s shows the master image', async (name, tolerance) => {
    const raster = await decode(fixture(name));
    expect(meanDifference(raster, master)).toBeLessThanOrEqual(tolerance);
  });

  test.each(SMALLS)('%s shows the small image', async (name, tolerance) => {
    const raster = await decode(fixture(name));
    expect(meanDifference(raster, small)).toBeLessThanOrEqual(tolerance);
  });

  test.each(TRANSLUCENT)('%s is blended onto white', async (name, tolerance) => {
    const raster = await decode(fixture(name));
    expect(meanDifference(raster, onWhite(small))).toBeLessThanOrEqual(tolerance);
  });

  test('transparent pixels of a GIF are white', async () => {
    const { data, width } = await decode(fixture('small-transparent.gif'));
    expect([...data.subarray(3 * width - 3, 3 * width)]).toEqual([255, 255, 255]);
  });

  test.each(GRAYS)('%s is gray in three channels', async (name, bits, tolerance) => {
    const raster = await decode(fixture(name));
    expect(meanDifference(raster, inGray(small, bits))).toBeLessThanOrEqual(tolerance);
    expect(raster.data.every((value, i) => value === raster.data[i - (i % 3)])).toBe(true);
  });

  test('flattens gray with alpha, too', async () => {
    const raster = await decode(fixture('small-gray-alpha.png'));
    expect(meanDifference(raster, onWhite(inGray(small, 8)))).toBeLessThanOrEqual(3);
  });

  test('applies an embedded CMYK profile instead of the generic one', async () => {
    const profile = colorlessPressProfile();
    const { data } = await decode(withProfile(fixture('small-cmyk.jpg'), profile));
    const saturation = data.map((value, i) => Math.abs(value - data[i - (i % 3)]!));
    expect(Math.max(...saturation)).toBeLessThanOrEqual(1);
    expect(Math.max(...data) - Math.min(...data)).toBeGreaterThan(100);
  });

  test.each(['png', 'webp'] as const)('rotates a %s by its EXIF orientation', async (format) => {
    const lossless = { lossless: true };
    const turned = await sharp(await sharp(fixture('small.png')).rotate(270).toBuffer())
      .withMetadata({ orientation: 6 })
      .toFormat(format, lossless)
      .toBuffer();
    expect(meanDifference(await decode(turned), small)).toBeLessThanOrEqual(1);
  });

  test('decodes a JPEG without profile to the pixels of libjpeg-turbo', async () => {
    const plain = await sharp(fixture('master.jpg'), { ignoreIcc: true }).raw().toBuffer();
    const { data } = await decode(fixture('master.jpg'));
    expect(Buffer.compare(data, plain)).toBe(0);
  });

  test('lists every fixture', () => {
    const listed = [
      ...[...MASTERS, ...SMALLS, ...TRANSLUCENT, ...GRAYS].map(([name]) => name),
      ...OTHERS,
    ];
    expect(listed.sort()).toEqual([...FIXTURES].sort());
  });

  describe('within limits', () => {
    const budget = () => PixelBudget.alone(DEFAULT_IMAGE_LIMITS.maxPixelsInFlight);
    const image = fixture('small.png');

    test('refuses too many bytes before it reads them', async () => {
      const limits = { maxBytes: 9, maxPixels: 1e6 };
      const bytes = new Uint8Array(10);
      await expect(decodeImage(bytes, { limits, budget: budget() })).rejects.toThrow(ImageTooLarge);
    });

    test.each(FIXTURES.filter((name) => /^small(-lzw|-8-bit)?\.|^master\./.test(name)))(
      'refuses one pixel too many: %s',
      async (name) => {
        const { width, height } = name.startsWith('master') ? master : small;
        const open = (maxPixels: number) =>
          decodeImage(fixture(name), { limits: { maxBytes: 1e6, maxPixels }, budget: budget() });
        await expect(open(width * height - 1)).rejects.toMatchObject({ code: 'image_too_large' });
        using decoded = await open(width * height);
        expect(decoded.raster).toMatchObject({ width, height });
      },
    );

    test.each([
      [65_501, 1],
      [1, 65_501],
    ])(
      'refuses %i x %i, because no JPEG with such a side is read or written',
      async (width, height) => {
        const line = { width, height, channels: 3, background: '#336699' } as const;
        const options = { limits: DEFAULT_IMAGE_LIMITS, budget: budget() };
        const png = await sharp({ create: line }).png().toBuffer();
        await expect(decodeImage(png, options)).rejects.toThrow(ImageTooLarge);
        const shorter = {
          ...line,
          width: Math.min(width, 65_500),
          height: Math.min(height, 65_500),
        };
        using decoded = await decodeImage(
          await sharp({ create: shorter }).png().toBuffer(),
          options,
        );
        expect(decoded.raster.data).toHaveLength(3 * 65_500);
      },
    );

    test('reserves nothing if the signal is already aborted', async () => {
      const pixels = budget();
      const signal = AbortSignal.abort(new Error('gone'));
      const options = { limits: DEFAULT_IMAGE_LIMITS, budget: pixels, signal };
      await expect(decodeImage(image, options)).rejects.toThrow('gone');
      expect(pixels.inFlight).toBe(0);
    });

    test('releases the pixels when aborted while decoding', async () => {
      const pixels = budget();
      const abort = new AbortController();
      const options = { limits: DEFAULT_IMAGE_LIMITS, budget: pixels, signal: abort.signal };
      const decoding = decodeImage(fixture('master.png'), options);
      while (pixels.inFlight === 0) await nextTurn();
      abort.abort(new Error('gone'));
      await expect(decoding).rejects.toThrow('gone');
      expect(pixels.inFlight).toBe(0);
    });

    test('holds its pixels until it is disposed, and releases them once', async () => {
      const pixels = budget();
      const decoded = await decodeImage(image, { limits: DEFAULT_IMAGE_LIMITS, budget: pixels });
      expect(pixels.inFlight).toBe(63 * 47);
      expect(decoded.raster.data).toHaveLength(3 * 63 * 47);
      decoded[Symbol.dispose]();
      decoded[Symbol.dispose]();
      expect(pixels.inFlight).toBe(0);
      // Disposal frees the pixels at once, without waiting for the garbage collector.
      expect(decoded.raster.data).toHaveLength(0);
    });

    test('releases the pixels when decoding fails', async () => {
      const pixels = budget();
      const options = { limits: DEFAULT_IMAGE_LIMITS, budget: pixels };
      const half = image.subarray(0, image.length / 2);
      await expect(decodeImage(half, options)).rejects.toThrow(ImageCorrupt);
      expect(pixels.inFlight).toBe(0);
    });

    test('waits for pixels, but not longer than its caller', async () => {
      const pixels = PixelBudget.alone(63 * 47);
      const options = { limits: DEFAULT_IMAGE_LIMITS, budget: pixels };
      const first = await decodeImage(image, options);
      const abort = new AbortController();
      const second = decodeImage(image, { ...options, signal: abort.signal });
      abort.abort(new Error('gone'));
      await expect(second).rejects.toThrow('gone');
      first[Symbol.dispose]();
      using third = await decodeImage(image, options);
      expect(third.format).toBe('png');
    });
  });
});
