import { describe, expect, test } from '@jest/globals';
import { ImageCorrupt } from '@sightline/core/sources/image-errors';
import { openBmp } from './decode-bmp.ts';

interface Bitmap {
  readonly width: number;
  readonly height: number;
  readonly bits: number;
  readonly compression?: number;
  /** The 32-bit words behind the header: masks, or palette entries as 0xRRGGBB. */
  readonly words?: readonly number[];
  readonly colorsUsed?: number;
  readonly pixels: readonly number[];
}

function bitmap({ words = [], pixels, ...fields }: Bitmap): Uint8Array {
  const pixelOffset = 54 + 4 * words.length;
  const bytes = new Uint8Array(pixelOffset + pixels.length);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, 0x424d);
  view.setUint32(10, pixelOffset, true);
  view.setUint32(14, 40, true);
  view.setInt32(18, fields.width, true);
  view.setInt32(22, fields.height, true);
  view.setUint16(28, fields.bits, true);
  view.setUint32(30, fields.compression ?? 0, true);
  view.setUint32(46, fields.colorsUsed ?? 0, true);
  words.forEach((word, i) => {
    view.setUint32(54 + 4 * i, word, true);
  });
  bytes.set(pixels, pixelOffset);
  return bytes;
}

/** Decodes the pixels to rows of colors such as `ff0000 00ff00`. */
async function rows(bytes: Uint8Array): Promise<string[]> {
  const { data, width, height } = await openBmp(bytes).decode();
  const colors = Array.from({ length: width * height }, (_, i) =>
    Buffer.from(data.subarray(3 * i, 3 * i + 3)).toString('hex'),
  );
  return Array.from({ length: height }, (_, y) =>
    colors.slice(y * width, (y + 1) * width).join(' '),
  );
}

const BLACK_WHITE = [0x000000, 0xffffff];
const RED_GREEN_BLUE = [0xff0000, 0x00ff00, 0x0000ff];
const FOUR_BYTES = [0, 0, 0, 0];

describe('openBmp', () => {
  test('reads rows bottom-up and aligns them to four bytes', async () => {
    const pixels = [0, 0, 255, 0, 255, 0, 0, 0, 255, 0, 0, 1, 2, 3, 0, 0];
    const image = { width: 2, bits: 24, pixels };
    expect(await rows(bitmap({ ...image, height: 2 }))).toEqual(['0000ff 030201', 'ff0000 00ff00']);
    expect(await rows(bitmap({ ...image, height: -2 }))).toEqual([
      'ff0000 00ff00',
      '0000ff 030201',
    ]);
  });

  test('accepts missing padding behind the last row', async () => {
    const image = { width: 1, height: 2, bits: 24 };
    expect(await rows(bitmap({ ...image, pixels: [1, 2, 3, 0, 4, 5, 6] }))).toHaveLength(2);
    const short = bitmap({ ...image, pixels: [1, 2, 3, 0, 4, 5] });
    await expect(rows(short)).rejects.toThrow(ImageCorrupt);
  });

  test('reads one bit per pixel, highest bit first', async () => {
    const pixels = [0b10110000, 0b01000000, 0, 0];
    const [row] = await rows(
      bitmap({ width: 10, height: 1, bits: 1, words: BLACK_WHITE, colorsUsed: 2, pixels }),
    );
    const drawn = row!.split(' ').map((color) => (color === 'ffffff' ? 1 : 0));
    expect(drawn).toEqual([1, 0, 1, 1, 0, 0, 0, 0, 0, 1]);
  });

  test('reads four bits per pixel, upper half first', async () => {
    const image = { width: 3, height: 1, bits: 4, words: RED_GREEN_BLUE, colorsUsed: 3 };
    expect(await rows(bitmap({ ...image, pixels: [0x01, 0x20, 0, 0] }))).toEqual([
      'ff0000 00ff00 0000ff',
    ]);
  });

  test('an index without a palette entry is black', async () => {
    const image = { width: 4, height: 1, bits: 8, words: RED_GREEN_BLUE, colorsUsed: 3 };
    expect(await rows(bitmap({ ...image, pixels: [2, 3, 255, 0] }))).toEqual([
      '0000ff 000000 000000 ff0000',
    ]);
  });

  test('maps runs of 8 and 4 bits through the palette', async () => {
    const image = { width: 3, height: 1, words: RED_GREEN_BLUE, colorsUsed: 3 };
    const eight = { ...image, bits: 8, compression: 1, pixels: [2, 1, 1, 2, 0, 1] };
    const four = { ...image, bits: 4, compression: 2, pixels: [3, 0x12, 0, 1] };
    expect(await rows(bitmap(eight))).toEqual(['00ff00 00ff00 0000ff']);
    expect(await rows(bitmap(four))).toEqual(['00ff00 0000ff 00ff00']);
  });

  test('uses five bits per channel for 16 bits without masks', async () => {
    const image = { width: 2, height: 1, bits: 16 };
    expect(await rows(bitmap({ ...image, pixels: [0x1f, 0x7c, 0xe0, 0x83] }))).toEqual([
      'ff00ff 00ff00',
    ]);
  });

  test('scales masks of any position and width to 8 bits', async () => {
    const rgb565 = [0xf800, 0x07e0, 0x001f];
    const image = { width: 2, height: 1, bits: 16, compression: 3, words: rgb565 };
    expect(await rows(bitmap({ ...image, pixels: [0x10, 0x84, 0xff, 0xff] }))).toEqual([
      '848284 ffffff',
    ]);
    const tenBits = [0x3ff00000, 0x000ffc00, 0x000003ff];
    const deep = { ...image, width: 1, bits: 32, words: tenBits };
    expect(await rows(bitmap({ ...deep, pixels: [0xff, 0x13, 0x08, 0x20] }))).toEqual(['8081ff']);
  });

  test('a missing mask leaves its channel black, and the highest bit is not a sign', async () => {
    const masks = [0x80000000, 0, 0xff];
    const image = { width: 1, height: 1, bits: 32, compression: 3, words: masks };
    expect(await rows(bitmap({ ...image, pixels: [7, 9, 9, 0xff] }))).toEqual(['ff0007']);
  });

  test('uses alpha if a mask declares it and one pixel is not transparent', async () => {
    const masks = [0xff0000, 0xff00, 0xff, 0xff000000];
    const image = { width: 2, height: 1, bits: 32, compression: 6, words: masks };
    const pixels = (...alphas: number[]) => alphas.flatMap((alpha) => [0, 0, 100, alpha]);
    expect(await rows(bitmap({ ...image, pixels: pixels(255, 51) }))).toEqual(['640000 e0cccc']);
    expect(await rows(bitmap({ ...image, pixels: pixels(1, 0) }))).toEqual(['fefefe ffffff']);
    expect(await rows(bitmap({ ...image, pixels: pixels(0, 0) }))).toEqual(['640000 640000']);
  });

  test('ignores the fourth byte of a plain pixel', async () => {
    const image = { width: 1, height: 1, bits: 32 };
    expect(await rows(bitmap({ ...image, pixels: [1, 2, 3, 128] }))).toEqual(['030201']);
  });

  test('works on a part of a larger buffer', async () => {
    const bytes = bitmap({ width: 1, height: 1, bits: 24, pixels: [1, 2, 3, 0] });
    const larger = new Uint8Array(bytes.length + 20).fill(0xaa);
    larger.set(bytes, 7);
    expect(await rows(larger.subarray(7, 7 + bytes.length))).toEqual(['030201']);
  });

  test.each<[what: string, image: Bitmap]>([
    ['fewer pixels than declared', { width: 9, height: 9, bits: 32, pixels: FOUR_BYTES }],
    ['2 GB of missing pixels', { width: 46_000, height: 46_000, bits: 8, pixels: [0] }],
    ['a palette beyond the end of the file', { width: 1, height: 1, bits: 8, pixels: FOUR_BYTES }],
    ['no runs', { width: 1, height: 1, bits: 8, compression: 1, words: [0], pixels: [0] }],
  ])('refuses %s', async (_, image) => {
    await expect(rows(bitmap(image))).rejects.toThrow(ImageCorrupt);
  });
});
