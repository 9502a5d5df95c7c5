import { describe, expect, test } from '@jest/globals';
import { ImageCorrupt, UnsupportedFormat } from '@sightline/core/sources/image-errors';
import { readBmpHeader } from './bmp-header.ts';

interface Fields {
  readonly headerBytes?: number;
  readonly width?: number;
  readonly height?: number;
  readonly bits?: number;
  readonly compression?: number;
  readonly pixelOffset?: number;
  readonly colorsUsed?: number;
  readonly masks?: readonly number[];
  /** The length of the file in bytes, including the headers. */
  readonly size?: number;
}

function bitmap(fields: Fields): Uint8Array {
  const bytes = new Uint8Array(1200);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, 0x424d);
  view.setUint32(10, fields.pixelOffset ?? 0, true);
  view.setUint32(14, fields.headerBytes ?? 40, true);
  view.setInt32(18, fields.width ?? 2, true);
  view.setInt32(22, fields.height ?? 3, true);
  view.setUint16(28, fields.bits ?? 24, true);
  view.setUint32(30, fields.compression ?? 0, true);
  view.setUint32(46, fields.colorsUsed ?? 0, true);
  fields.masks?.forEach((mask, i) => {
    view.setUint32(54 + 4 * i, mask, true);
  });
  return bytes.subarray(0, fields.size);
}

function coreBitmap(width: number, height: number): Uint8Array {
  const bytes = new Uint8Array(900);
  const view = new DataView(bytes.buffer);
  view.setUint32(14, 12, true);
  view.setUint16(18, width, true);
  view.setUint16(20, height, true);
  view.setUint16(24, 8, true);
  return bytes;
}

describe('readBmpHeader', () => {
  test('reads size, direction and depth', () => {
    expect(readBmpHeader(bitmap({ width: 7, height: 5 }))).toMatchObject({
      width: 7,
      height: 5,
      topDown: false,
      bitsPerPixel: 24,
      runLength: false,
    });
    expect(readBmpHeader(bitmap({ height: -5 }))).toMatchObject({ height: 5, topDown: true });
  });

  test('the oldest header has 16-bit sizes and palette entries of 3 bytes', () => {
    expect(readBmpHeader(coreBitmap(40_000, 2))).toMatchObject({
      width: 40_000,
      height: 2,
      topDown: false,
      bitsPerPixel: 8,
      palette: { offset: 26, entries: 256, entryBytes: 3 },
    });
  });

  test.each([12, 40, 52, 56, 64, 108, 124])('finds the end of a header of %i bytes', (size) => {
    const bytes = size === 12 ? coreBitmap(2, 2) : bitmap({ headerBytes: size });
    expect(readBmpHeader(bytes).pixelOffset).toBe(14 + size);
  });

  test('masks behind a plain header shift palette and pixels', () => {
    const at = (compression: number) =>
      readBmpHeader(bitmap({ bits: 32, compression, masks: [255, 255 << 8, 255 << 16, 0] }));
    expect(at(3).pixelOffset).toBe(66);
    expect(at(6).pixelOffset).toBe(70);
  });

  test('masks apply if the compression says so, else the depth decides', () => {
    const masks = [0xf800, 0x07e0, 0x001f, 0xf000];
    const read = (fields: Fields) => readBmpHeader(bitmap({ bits: 16, masks, ...fields })).masks;
    const own = { red: 0xf800, green: 0x07e0, blue: 0x001f };
    expect(read({ compression: 3 })).toEqual({ ...own, alpha: 0 });
    expect(read({ compression: 3, headerBytes: 56 })).toEqual({ ...own, alpha: 0xf000 });
    expect(read({ compression: 6 })).toEqual({ ...own, alpha: 0xf000 });
    expect(read({ compression: 6, headerBytes: 52 })).toEqual({ ...own, alpha: 0 });
    expect(read({ headerBytes: 124 })).toMatchObject({ red: 0x7c00, alpha: 0 });
    expect(read({ bits: 32 })).toMatchObject({ red: 0xff0000, alpha: 0 });
  });

  test.each([
    [1, 0, 2],
    [4, 0, 16],
    [8, 0, 256],
    [8, 10, 10],
    [4, 1000, 16],
    [8, 0xffffffff, 256],
    [24, 10, 0],
  ])('%i bits and %i colors yield %i palette entries', (bits, colorsUsed, entries) => {
    expect(readBmpHeader(bitmap({ bits, colorsUsed })).palette.entries).toBe(entries);
  });

  test('keeps sizes beyond any memory for the limit to refuse', () => {
    const { width, height } = readBmpHeader(bitmap({ width: 2 ** 31 - 1, height: -(2 ** 31) }));
    expect(width * height).toBeGreaterThan(4e18);
  });

  test.each<[what: string, fields: Fields]>([
    ['no width', { width: 0 }],
    ['a negative width', { width: -2 }],
    ['no height', { height: 0 }],
    ['run lengths of 24-bit pixels', { bits: 24, compression: 1 }],
    ['4-bit run lengths of 8-bit pixels', { bits: 8, compression: 2 }],
    ['masks for a palette', { bits: 8, compression: 3 }],
    ['an unknown compression', { compression: 77 }],
    ['pixels inside the header', { pixelOffset: 53 }],
    ['pixels behind the end', { pixelOffset: 1200 }],
    ['an end within the header', { size: 45 }],
    ['an end within the masks', { compression: 3, bits: 16, headerBytes: 52, size: 60 }],
    ['an end right behind the header', { size: 54 }],
  ])('refuses %s', (_, fields) => {
    expect(() => readBmpHeader(bitmap(fields))).toThrow(ImageCorrupt);
  });

  test.each<[variant: string, fields: Fields]>([
    ['2 bits per pixel', { bits: 2 }],
    ['64 bits per pixel', { bits: 64 }],
    ['Huffman coding', { bits: 1, compression: 3, headerBytes: 64 }],
    ['RLE24', { bits: 24, compression: 4, headerBytes: 64 }],
    ['in CMYK', { bits: 32, compression: 11 }],
  ])('names a variant that is not supported: %s', (variant, fields) => {
    const read = () => readBmpHeader(bitmap(fields));
    expect(read).toThrow(UnsupportedFormat);
    expect(read).toThrow(variant);
  });

  test.each([4, 5])('rejects images wrapped by compression %i', (compression) => {
    expect(() => readBmpHeader(bitmap({ bits: 0, compression }))).toThrow(UnsupportedFormat);
  });
});
