import { describe, expect, test } from '@jest/globals';
import type { Raster } from './raster.ts';
import { encodeCrop, encodeSource } from './renditions.ts';
import { sharp } from './sharp.ts';
import { decode, fixture, meanDifference } from './testing/fixture.ts';

/**
 * Makes an image in which red increases to the right and green downwards, so that a pixel shows its
 * position.
 */
function gradient(width: number, height: number): Raster {
  const data = new Uint8Array(3 * width * height);
  for (let i = 0; i < width * height; i++) {
    data.set([i % width, Math.floor(i / width), 128], 3 * i);
  }
  return { data, width, height };
}

describe('encodeSource', () => {
  const quality = 95;

  test('keeps the size of a small image', async () => {
    const master = await decode(fixture('master.png'));
    const { jpeg, ...size } = await encodeSource(master, { maxSize: 256, quality });
    expect(size).toEqual({ width: 256, height: 192 });
    expect(meanDifference(await decode(jpeg), master)).toBeLessThan(2);
  });

  test.each([
    [200, 100, { width: 64, height: 32 }],
    [100, 200, { width: 32, height: 64 }],
    [200, 1, { width: 64, height: 1 }],
  ])('shrinks %i x %i by its longer side', async (width, height, size) => {
    const rendition = await encodeSource(gradient(width, height), { maxSize: 64, quality });
    expect(rendition).toMatchObject(size);
    expect(await sharp(rendition.jpeg).metadata()).toMatchObject({ format: 'jpeg', ...size });
  });

  test('a lower quality makes a smaller file', async () => {
    const master = await decode(fixture('master.png'));
    const [fine, coarse] = await Promise.all(
      [95, 40].map((value) => encodeSource(master, { maxSize: 256, quality: value })),
    );
    expect(coarse!.jpeg.length).toBeLessThan(fine!.jpeg.length / 2);
  });

  test('returns a JPEG whose buffer can be transferred and contains nothing else', async () => {
    const { jpeg } = await encodeSource(gradient(8, 8), { maxSize: 8, quality });
    expect(jpeg.buffer.byteLength).toBe(jpeg.length);
    const moved = structuredClone(jpeg, { transfer: [jpeg.buffer as ArrayBuffer] });
    expect([...moved.subarray(0, 3)]).toEqual([0xff, 0xd8, 0xff]);
    expect(jpeg).toHaveLength(0);
  });
});

describe('encodeCrop', () => {
  const image = gradient(200, 100);
  const options = { padding: 0, quality: 95 };

  test.each([
    ['whole pixels are kept', { x: 40, y: 20, w: 30, h: 10 }, 0, [40, 20, 30, 10]],
    ['edges are rounded outwards', { x: 40.4, y: 20.6, w: 30.2, h: 10.5 }, 0, [40, 20, 31, 12]],
    ['each side is padded', { x: 40, y: 20, w: 30, h: 10 }, 0.5, [25, 15, 60, 20]],
    ['the crop is clamped to the image', { x: 190, y: -5, w: 30, h: 20 }, 0.1, [187, 0, 13, 17]],
    ['everything', { x: -10, y: -10, w: 500, h: 500 }, 1, [0, 0, 200, 100]],
    ['a box without area', { x: 50, y: 50, w: 0, h: 0 }, 0.5, [50, 50, 1, 1]],
    ['a box outside', { x: 300, y: -50, w: 10, h: 10 }, 0, [199, 0, 1, 1]],
  ])('%s', async (...[, box, padding, [left, top, width, height]]) => {
    const crop = await encodeCrop(image, box, { ...options, padding });
    expect(crop).toMatchObject({ width, height });
    const { data } = await decode(crop.jpeg);
    // The first pixel shows where the crop begins, although JPEG changes the pixel slightly.
    expect(Math.abs(data[0]! - left!)).toBeLessThanOrEqual(6);
    expect(Math.abs(data[1]! - top!)).toBeLessThanOrEqual(6);
  });

  test('uses little memory beside the raster for many large crops at once', async () => {
    const [width, height] = [6000, 4000];
    const large = { data: new Uint8Array(3 * width * height).fill(90), width, height };
    const peak = () => 1024 * process.resourceUsage().maxRSS;
    const before = peak();
    const crops = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        encodeCrop(large, { x: 20 * index, y: 10 * index, w: 5000, h: 3500 }, options),
      ),
    );
    expect(crops).toHaveLength(20);
    expect(peak() - before).toBeLessThan(100e6);
  });

  test('does not change the raster', async () => {
    const before = image.data.slice();
    await encodeCrop(image, { x: 1, y: 1, w: 50, h: 50 }, options);
    expect(image.data).toEqual(before);
  });
});
