import { describe, expect, test } from '@jest/globals';
import {
  ImageCorrupt,
  ImageTooLarge,
  UnsupportedFormat,
} from '@sightline/core/sources/image-errors';
import { openJpeg } from './decode-jpeg.ts';
import { decode, fixture } from './testing/fixture.ts';

const MAX_PIXELS = 1e6;

const segment = (marker: number, ...payload: number[]) => [
  0xff,
  marker,
  0,
  payload.length + 2,
  ...payload,
];
const zeros = (count: number) => Array<number>(count).fill(0);

const huffmanTable = (table: number, value: number) => segment(0xc4, table, 1, ...zeros(15), value);

const HEADER = [
  0xff,
  0xd8,
  ...segment(0xdb, 0, ...Array<number>(64).fill(1)),
  ...segment(0xc2, 8, 0, 64, 0, 64, 1, 1, 0x11, 0), // 64x64 pixels, one component, progressive
  ...huffmanTable(0x00, 0),
  ...huffmanTable(0x10, 0xe0), // the code for "the next 16384 blocks are empty"
];
const MEAN_SCAN = [...segment(0xda, 1, 1, 0, 0, 0, 0), ...zeros(8)];
const DETAIL_SCAN = [...segment(0xda, 1, 1, 0, 1, 63, 0), ...zeros(2)];

/**
 * Makes a gray JPEG with this many short scans. The bytes of `between` are inserted before each
 * scan.
 */
function progressive(scans: number, between: readonly number[] = []): Uint8Array {
  const details = Array.from({ length: scans - 1 }, () => [...between, ...DETAIL_SCAN]).flat();
  return Uint8Array.from([...HEADER, ...between, ...MEAN_SCAN, ...details, 0xff, 0xd9]);
}

describe('openJpeg', () => {
  test('decodes as many scans as encoders write', async () => {
    const image = await openJpeg(progressive(100), MAX_PIXELS);
    const { data } = await image.decode();
    expect([...new Set(data)]).toEqual([128]);
  });

  // The cases are everything that a decoder skips between two segments.
  test.each([
    ['nothing', []],
    ['a fill byte', [0xff]],
    ['meaningless bytes', [1, 2, 3]],
    ['a stuffed byte', [0xff, 0]],
    ['a restart marker', [0xff, 0xd0]],
    ['a temporary marker', [0xff, 0x01]],
    ['a comment', segment(0xfe, 0x61)],
  ])('refuses more scans, with %s between them', async (_, between) => {
    const image = await openJpeg(progressive(3, between), MAX_PIXELS);
    await expect(image.decode()).resolves.toMatchObject({ width: 64, height: 64 });
    await expect(openJpeg(progressive(101, between), MAX_PIXELS)).rejects.toThrow(ImageTooLarge);
  });

  test('does not count scans in a comment', async () => {
    const between = segment(0xfe, ...Array.from({ length: 60 }, () => [0xff, 0xda]).flat());
    await expect(openJpeg(progressive(3, between), MAX_PIXELS)).resolves.toMatchObject({
      width: 64,
    });
  });
});

describe('a JPEG without its end', () => {
  const cut = (bytes: Uint8Array, count: number) => bytes.slice(0, bytes.length - count);

  test.each(['master.jpg', 'small-progressive.jpg', 'small-gray.jpg', 'small-cmyk.jpg'])(
    'is accepted if only the marker is missing: %s',
    async (name) => {
      const whole = fixture(name);
      expect([...whole.subarray(-2)]).toEqual([0xff, 0xd9]);
      const { data } = await decode(whole);
      for (const count of [1, 2]) {
        expect(Buffer.compare((await decode(cut(whole, count))).data, data)).toBe(0);
      }
      for (const count of [4, 5, 8, 20, 100, 300]) {
        await expect(decode(cut(whole, count))).rejects.toThrow(ImageCorrupt);
      }
    },
  );

  test('is refused if a scan of a progressive JPEG is missing', async () => {
    const whole = fixture('small-progressive.jpg');
    const table = Buffer.from(whole).lastIndexOf('\xff\xc4', undefined, 'latin1');
    for (const end of [table, table + 1]) {
      await expect(decode(whole.slice(0, end))).rejects.toThrow(ImageCorrupt);
    }
  });
});

test.each<[name: string, frame: [marker: number, bits: number, channels: number]]>([
  ['12 bits per channel', [0xc1, 12, 3]],
  ['2 channels', [0xc0, 8, 2]],
  ['lossless coding', [0xc3, 8, 3]],
  ['hierarchical coding', [0xc5, 8, 3]],
  ['JPEG-LS coding', [0xf7, 8, 3]],
])('a variant that is not supported is named: %s', async (name, [marker, bits, channels]) => {
  const components = Array.from({ length: channels }, (_, id) => [id, 0x11, 0]).flat();
  const frame = segment(marker, bits, 0, 64, 0, 64, channels, ...components);
  const opening = openJpeg(Uint8Array.from([0xff, 0xd8, ...frame, ...MEAN_SCAN]), MAX_PIXELS);
  await expect(opening).rejects.toThrow(UnsupportedFormat);
  await expect(opening).rejects.toThrow(name);
});
