import { describe, expect, test } from '@jest/globals';
import { ImageTooLarge, UnsupportedFormat } from '@sightline/core/sources/image-errors';
import { openWithSharp } from './decode-sharp.ts';

const LONG = 4;
const SHORT = 3;
const DIRECTORY_BYTES = 2 + 11 * 12 + 4;

interface Page {
  readonly bits?: number;
  /** 1 means unsigned, 2 signed, 3 floating point. */
  readonly sampleFormat?: number;
}

function tiff(pages: number, { bits = 8, sampleFormat = 1 }: Page = {}): Uint8Array {
  const first = 16;
  const bytes = new Uint8Array(first + pages * DIRECTORY_BYTES);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, 0x49492a00);
  view.setUint32(4, first, true);
  const fields = [
    [256, LONG, 1] as const,
    [257, LONG, 1] as const,
    [258, SHORT, bits] as const,
    [259, SHORT, 1] as const,
    [262, SHORT, 1] as const,
    [273, LONG, 8] as const,
    [277, SHORT, 1] as const,
    [278, LONG, 1] as const,
    [279, LONG, bits / 8] as const,
    [284, SHORT, 1] as const,
    [339, SHORT, sampleFormat] as const,
  ];
  for (let page = 0; page < pages; page++) {
    const at = first + page * DIRECTORY_BYTES;
    view.setUint16(at, fields.length, true);
    fields.forEach(([tag, type, value], i) => {
      const field = at + 2 + 12 * i;
      view.setUint16(field, tag, true);
      view.setUint16(field + 2, type, true);
      view.setUint32(field + 4, 1, true);
      view.setUint32(field + 8, value, true);
    });
    const next = page + 1 < pages ? at + DIRECTORY_BYTES : 0;
    view.setUint32(at + DIRECTORY_BYTES - 4, next, true);
  }
  return bytes;
}

describe('openWithSharp', () => {
  test('opens the first of many pages, up to a limit', async () => {
    expect(await openWithSharp(tiff(1000))).toMatchObject({ width: 1, height: 1 });
    await expect(openWithSharp(tiff(10_001))).rejects.toThrow(ImageTooLarge);
  });

  test.each([8, 16])('accepts unsigned channels of %i bits', async (bits) => {
    const image = await openWithSharp(tiff(1, { bits }));
    expect(await image.decode()).toMatchObject({ width: 1, height: 1 });
  });

  test.each([
    ['rejects other channels: %s', { bits: 8, sampleFormat: 2 }],
    ['signed, 16 bits', { bits: 16, sampleFormat: 2 }],
    ['32 bits', { bits: 32 }],
    ['floating point', { bits: 32, sampleFormat: 3 }],
  ])('rejects other channels: %s', async (_, page) => {
    await expect(openWithSharp(tiff(1, page))).rejects.toThrow(UnsupportedFormat);
  });
});
