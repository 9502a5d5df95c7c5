import { setImmediate } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  ImageCorrupt,
  ImageTooLarge,
  UnsupportedFormat,
} from '@sightline/core/sources/image-errors';
import { DEFAULT_IMAGE_LIMITS } from '@sightline/core/sources/image-limits';
import { collectGarbage } from '@sightline/test/support/jest/collect-garbage';
import { IS_SOAK } from '@sightline/test/support/gates/soak';
import { decodeImage } from './decode-image.ts';
import { PixelBudget } from './pixel-budget.ts';
import type { Raster } from './raster.ts';
import { sharp } from './sharp.ts';
import { decode, fixture, FIXTURES, meanDifference } from './testing/fixture.ts';

const ROUNDS = IS_SOAK ? 400 : 6;
const PERCENTAGES = IS_SOAK
  ? Array.from({ length: 90 }, (_, i) => 10 + i)
  : [10, 20, 30, 40, 50, 60, 70, 80, 90, 99];

const TYPED = [ImageCorrupt, ImageTooLarge, UnsupportedFormat];

async function attempt(bytes: Uint8Array, allowed = TYPED): Promise<Raster | null> {
  try {
    const raster = await decode(bytes);
    expect(raster.data).toHaveLength(3 * raster.width * raster.height);
    return raster;
  } catch (error) {
    if (allowed.some((type) => error instanceof type)) return null;
    throw error;
  }
}

/** Returns a generator of reproducible numbers in 0..1 (the generator of Numerical Recipes). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const viewOf = (bytes: Uint8Array) =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const find = (bytes: Uint8Array, text: string, from = 0) =>
  Buffer.from(bytes).indexOf(text, from, 'latin1');

/** For each fixture, a function that makes its header declare another size and leaves the pixels unchanged. */
const CLAIMS: Record<string, (width: number, height: number) => Uint8Array> = {
  'small.png': (width, height) => {
    const bytes = fixture('small.png');
    viewOf(bytes).setUint32(16, width);
    viewOf(bytes).setUint32(20, height);
    viewOf(bytes).setUint32(29, crc32(bytes.subarray(12, 29)));
    return bytes;
  },
  'master.jpg': (width, height) => {
    const bytes = fixture('master.jpg');
    const frame = find(bytes, '\xff\xc0');
    viewOf(bytes).setUint16(frame + 5, height);
    viewOf(bytes).setUint16(frame + 7, width);
    return bytes;
  },
  'master.gif': (width, height) => {
    const bytes = fixture('master.gif');
    // The first image descriptor follows the graphic control extension.
    const frame = find(bytes, ',', find(bytes, '!\xf9'));
    for (const at of [6, frame + 5]) {
      viewOf(bytes).setUint16(at, width, true);
      viewOf(bytes).setUint16(at + 2, height, true);
    }
    return bytes;
  },
  'small-plain.tiff': (width, height) => claimTiff('small-plain.tiff', width, height),
  'small-tiled.tiff': (width, height) => claimTiff('small-tiled.tiff', width, height),
  'small-animated.webp': (width, height) => {
    const bytes = Buffer.from(fixture('small-animated.webp'));
    const most = 2 ** 24;
    bytes.writeUIntLE(Math.min(Math.max(width, 1), most) - 1, 24, 3);
    bytes.writeUIntLE(Math.min(Math.max(height, 1), most) - 1, 27, 3);
    return new Uint8Array(bytes);
  },
  'small-24-bit.bmp': (width, height) => claimBmp('small-24-bit.bmp', width, height),
  'small-rle-8.bmp': (width, height) => claimBmp('small-rle-8.bmp', width, height),
  'small.heic': (width, height) => claimHeif('small.heic', width, height),
  'small-420.heic': (width, height) => claimHeif('small-420.heic', width, height),
  'master.avif': (width, height) => claimHeif('master.avif', width, height),
};

/** The formats whose sides have fewer than 31 bits. */
const SHORT_SIDES = /\.(jpg|gif|webp)$/;

function claimTiff(name: string, width: number, height: number): Uint8Array {
  const bytes = fixture(name);
  const view = viewOf(bytes);
  const directory = view.getUint32(4, true);
  for (const [tag, value] of [
    [256, width],
    [257, height],
  ] as const) {
    let at = directory + 2;
    while (view.getUint16(at, true) !== tag) at += 12;
    view.setUint16(at + 2, 4, true); // the TIFF type LONG
    view.setUint32(at + 8, value, true);
  }
  return bytes;
}

function claimBmp(name: string, width: number, height: number): Uint8Array {
  const bytes = fixture(name);
  viewOf(bytes).setInt32(18, width, true);
  viewOf(bytes).setInt32(22, height, true);
  return bytes;
}

function claimHeif(name: string, width: number, height: number): Uint8Array {
  const bytes = fixture(name);
  for (let at = find(bytes, 'ispe'); at !== -1; at = find(bytes, 'ispe', at + 1)) {
    viewOf(bytes).setUint32(at + 8, width);
    viewOf(bytes).setUint32(at + 12, height);
  }
  return bytes;
}

function gifOfFrames(count: number): Uint8Array {
  const header = [...Buffer.from('GIF89a'), 1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255];
  const frame = [0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0];
  return Uint8Array.from([...header, ...Array.from({ length: count }, () => frame).flat(), 0x3b]);
}

/**
 * Makes a gray, progressive JPEG whose coefficients are split into as many scans as the format
 * allows.
 */
async function jpegOfScans(planes: number): Promise<Uint8Array> {
  const gray = sharp({ create: { width: 64, height: 64, channels: 3, background: '#808080' } });
  const jpeg = await gray.toColorspace('b-w').jpeg({ progressive: true }).toBuffer();
  const scans: number[] = [];
  for (let at = find(jpeg, '\xff\xda'); at !== -1; at = find(jpeg, '\xff\xda', at + 1)) {
    scans.push(at);
  }
  const end = (scan: number) => {
    let at = scan + 10;
    while (jpeg[at] !== 0xff || jpeg[at + 1] === 0) at += 1;
    return at;
  };
  const parts = [jpeg.subarray(0, scans[1])];
  for (let plane = planes - 1; plane >= 0; plane--) {
    for (let coefficient = 1; coefficient < 64; coefficient++) {
      const scan = Buffer.from(jpeg.subarray(scans[1], end(scans[1]!)));
      const before = plane === planes - 1 ? 0 : plane + 1;
      scan.set([coefficient, coefficient, (before << 4) | plane], 7);
      parts.push(scan);
    }
  }
  return new Uint8Array(Buffer.concat([...parts, Buffer.from([0xff, 0xd9])]));
}

describe('a damaged or hostile image', () => {
  let whole: Map<string, Raster>;

  beforeAll(async () => {
    whole = new Map();
    for (const name of FIXTURES) whole.set(name, await decode(fixture(name)));
  });

  afterAll(async () => {
    // After the damaged files, the decoders must still work normally in the same process.
    for (const [name, raster] of whole) {
      expect(meanDifference(await decode(fixture(name)), raster)).toBe(0);
    }
  });

  test.each(FIXTURES)('%s truncated is corrupt, or shows the whole image', async (name) => {
    const bytes = fixture(name);
    for (const percent of PERCENTAGES) {
      const length = Math.floor((bytes.length * percent) / 100);
      const raster = await attempt(bytes.slice(0, length), [ImageCorrupt]);
      // A truncated file decodes if the cut is behind the first image, in further images, an index
      // or a profile.
      if (raster !== null) expect(meanDifference(raster, whole.get(name)!)).toBe(0);
    }
  });

  test.each(FIXTURES)('%s with flipped bits is refused or decodes to something', async (name) => {
    const random = randomNumbers(name.length);
    for (let round = 0; round < ROUNDS; round++) {
      const bytes = fixture(name);
      const reach = random() < 0.5 ? Math.min(512, bytes.length) : bytes.length;
      for (let flips = 1 + random() * 4; flips > 0; flips--) {
        bytes[Math.floor(random() * reach)]! ^= 1 << Math.floor(random() * 8);
      }
      await attempt(bytes);
    }
  });

  describe.each(Object.entries(CLAIMS))('%s with another size in its header', (name, claim) => {
    const longest = SHORT_SIDES.test(name) ? 65_535 : 2 ** 31 - 1;

    test.each([
      [60_000, 60_000],
      [longest, longest],
      [longest, 1000],
      [1000, longest],
      [longest, 1],
    ])('%i x %i is refused before memory is allocated', async (width, height) => {
      const bytes = claim(width, height);
      const before = process.memoryUsage().rss;
      await expect(decode(bytes)).rejects.toThrow(ImageTooLarge);
      expect(process.memoryUsage().rss - before).toBeLessThan(100e6);
    });

    test.each([
      [0, 0],
      [0, 47],
      [63, 0],
    ])('%i x %i is refused, or the size is read from elsewhere', async (width, height) => {
      const raster = await attempt(claim(width, height));
      if (raster !== null) expect(raster.data.length).toBeGreaterThan(0);
    });

    test.each([
      [1, 1],
      [640, 470],
      [65_500, 1],
    ])('%i x %i is refused or decodes to that size', async (width, height) => {
      const raster = await attempt(claim(width, height));
      if (raster !== null) expect([raster.width, raster.height]).toEqual([width, height]);
    });
  });

  test.each(['small.png', 'small-plain.tiff', 'small-tiled.tiff', 'small.heic', 'master.avif'])(
    '%s with unsigned sides that a signed number cannot hold is refused',
    async (name) => {
      for (const side of [2 ** 31, 2 ** 32 - 1]) {
        await expect(decode(CLAIMS[name]!(side, side))).rejects.toThrow(ImageTooLarge);
        await expect(decode(CLAIMS[name]!(side, 1))).rejects.toThrow(ImageTooLarge);
      }
    },
  );

  test('a WEBP whose canvas has the longest sides is refused', async () => {
    const longest = 2 ** 24;
    const webp = CLAIMS['small-animated.webp']!(longest, longest);
    await expect(decode(webp)).rejects.toThrow(ImageTooLarge);
  });

  test('a BigTIFF with sides of 64 bits is refused', async () => {
    const bytes = fixture('small-big.tiff');
    const view = viewOf(bytes);
    const directory = Number(view.getBigUint64(8, true));
    for (const tag of [256, 257]) {
      let at = directory + 8;
      while (view.getUint16(at, true) !== tag) at += 20;
      view.setUint16(at + 2, 16, true); // the TIFF type LONG8
      view.setBigUint64(at + 12, 2n ** 63n, true);
    }
    await expect(decode(bytes)).rejects.toThrow(ImageTooLarge);
  });

  test('refuses 51 megapixels in a few kilobytes', async () => {
    const black = { width: 10_700, height: 5000, channels: 3, background: '#000000' } as const;
    const png = await sharp({ create: black }).png({ compressionLevel: 9 }).toBuffer();
    expect(png.length).toBeLessThan(1e6);
    await expect(decode(png)).rejects.toThrow(ImageTooLarge);
  });

  test.each(['master-grid.heic', 'master-grid.avif'])(
    '%s with an overlay instead of its grid is refused, because overlays multiply the work',
    async (name) => {
      const bytes = fixture(name);
      bytes.set(Buffer.from('iovl'), find(bytes, 'grid'));
      await expect(decode(bytes)).rejects.toThrow(UnsupportedFormat);
    },
  );

  test.each([
    ['small.heic', 6],
    ['master.avif', 6],
    ['small.png', 1],
  ])('%s counts %i times its pixels while it is decoded', async (name, times) => {
    const budget = PixelBudget.alone(1e9);
    const decoding = decodeImage(fixture(name), { limits: DEFAULT_IMAGE_LIMITS, budget });
    while (budget.inFlight === 0) await setImmediate();
    const most = budget.inFlight;
    using image = await decoding;
    const pixels = image.raster.width * image.raster.height;
    // The coded image has whole blocks, and may be larger.
    expect(most).toBeGreaterThanOrEqual(times * pixels);
    expect(budget.inFlight).toBe(pixels);
  });

  test('counts frames and decodes only the first', async () => {
    expect(await decode(gifOfFrames(500))).toMatchObject({ width: 1, height: 1 });
    await expect(decode(gifOfFrames(20_000))).rejects.toThrow(ImageTooLarge);
  });

  test('counts the scans of a JPEG', async () => {
    expect(await decode(await jpegOfScans(1))).toMatchObject({ width: 64, height: 64 });
    await expect(decode(await jpegOfScans(14))).rejects.toThrow(ImageTooLarge);
  });

  test.each(['png', 'heic'])('decoding %s repeatedly does not leak memory', async (format) => {
    const large = format === 'heic' ? fixture('master.heic') : await flat(3000, 2000);
    const once = await decode(large);
    // The allocators take what they keep in the first rounds.
    for (let round = 0; round < 5; round++) await decode(large);
    collectGarbage();
    const before = process.memoryUsage().rss;
    // A leak in half of the 60 rounds would exceed the limit below: an image takes 18 MB, and a HEIF decoder starts with
    // 17 MB. Threads that are busy with other work may keep 250 MB.
    for (let round = 0; round < 60; round++) {
      const { data } = await decode(large);
      expect(Buffer.compare(data, once.data)).toBe(0);
    }
    collectGarbage();
    expect(process.memoryUsage().rss - before).toBeLessThan(500e6);
  });
});

async function flat(width: number, height: number): Promise<Uint8Array> {
  return sharp({ create: { width, height, channels: 3, background: '#336699' } })
    .png()
    .toBuffer();
}
