import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { ImageFormat } from '@sightline/core/sources/image-format';
import type { Sharp } from 'sharp';
import { readExifTime } from './exif-time.ts';
import { findExif } from './find-exif.ts';
import { sharp } from './sharp.ts';

const FIELDS = {
  IFD2: { DateTimeOriginal: '2024:05:06 07:08:09', OffsetTimeOriginal: '+02:00' },
};
const blank = () => sharp({ create: { width: 8, height: 6, channels: 3, background: '#204080' } });

const WRITERS: readonly (readonly [ImageFormat, (image: Sharp) => Sharp])[] = [
  ['jpeg', (image) => image.jpeg()],
  ['png', (image) => image.png()],
  ['webp', (image) => image.webp()],
  ['avif', (image) => image.avif()],
];

function takenAt(format: ImageFormat, bytes: Uint8Array): Date | null {
  const exif = findExif(format, bytes);
  return exif && readExifTime(exif);
}

describe.each(WRITERS)('the EXIF data of a %s', (format, write) => {
  test('is found', async () => {
    const bytes = await write(blank().withExif(FIELDS)).toBuffer();
    expect(takenAt(format, bytes)).toEqual(new Date('2024-05-06T05:08:09Z'));
  });

  test('that has none is absent', async () => {
    expect(takenAt(format, await write(blank()).toBuffer())).toBeNull();
  });

  test('that is cut off anywhere leads to no error', async () => {
    const bytes = await write(blank().withExif(FIELDS)).toBuffer();
    const step = Math.ceil(bytes.length / 400);
    for (let length = 12; length < bytes.length; length += step) {
      takenAt(format, bytes.subarray(0, length));
    }
  });
});

test.each(['heic', 'tiff', 'bmp', 'gif'] as const)('a %s of a drawing has no time', (format) => {
  const bytes = readFileSync(join(import.meta.dirname, `../../fixtures/master.${format}`));
  expect(takenAt(format, bytes)).toBeNull();
});
