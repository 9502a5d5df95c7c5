import { crc32, deflateSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { ImageCorrupt, UnsupportedFormat } from '@sightline/core/sources/image-errors';
import { openPng, withoutTextChunks } from './decode-png.ts';
import { decode, fixture } from './testing/fixture.ts';

const MAX_PIXELS = 1e6;
const HEADER_END = 33;

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const frame = Buffer.alloc(4);
  const checksum = Buffer.alloc(4);
  frame.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([frame, body, checksum]);
}

function withChunks(chunks: readonly Buffer[], place: 'front' | 'back' = 'front'): Uint8Array {
  const png = fixture('small.png');
  const at = place === 'front' ? HEADER_END : png.length - 12;
  return new Uint8Array(Buffer.concat([png.subarray(0, at), ...chunks, png.subarray(at)]));
}

const text = (size: number) =>
  chunk('zTXt', Buffer.concat([Buffer.from('Comment\0\0'), deflateSync(Buffer.alloc(size, 'a'))]));

test.each(['CgBI', 'FoBa'])('the critical chunk %s is named', async (type) => {
  const opening = openPng(withChunks([chunk(type, Buffer.alloc(4))]), MAX_PIXELS);
  await expect(opening).rejects.toThrow(UnsupportedFormat);
  await expect(opening).rejects.toThrow(type);
});

test('a file that ends in its header is damaged', async () => {
  const png = fixture('small.png');
  for (let length = 8; length < HEADER_END; length++) {
    await expect(openPng(png.slice(0, length), MAX_PIXELS)).rejects.toThrow(ImageCorrupt);
  }
});

describe('openPng', () => {
  test.each(['front', 'back'] as const)('text chunks at the %s change nothing', async (place) => {
    const texts = [
      text(1000),
      chunk('tEXt', Buffer.from('Title\0small')),
      chunk('iTXt', Buffer.from('XML:com.adobe.xmp\0\0\0\0\0<x/>')),
    ];
    const plain = await decode(fixture('small.png'));
    expect(await decode(withChunks(texts, place))).toEqual(plain);
  });

  test.each(['front', 'back'] as const)(
    'removes text chunks at the %s before decoding',
    (place) => {
      const png = withChunks(Array<Buffer>(3).fill(text(10)), place);
      expect(Buffer.compare(withoutTextChunks(png), fixture('small.png'))).toBe(0);
    },
  );

  test('does not copy a file without text chunks', () => {
    const png = fixture('small.png');
    expect(withoutTextChunks(png)).toBe(png);
  });

  test('large text chunks take no memory', async () => {
    const peak = () => 1024 * process.resourceUsage().maxRSS;
    const png = withChunks(Array<Buffer>(200).fill(text(7e6)));
    const before = peak();
    await decode(png);
    // The inflated chunks would take 1.4 GB.
    expect(peak() - before).toBeLessThan(200e6);
  });

  test('keeps profile and orientation when it removes text chunks', async () => {
    const exif = Buffer.from('4d4d002a000000080001011200030000000100060000' + '00000000', 'hex');
    const image = await openPng(withChunks([text(10), chunk('eXIf', exif), text(10)]), MAX_PIXELS);
    expect(image).toMatchObject({ width: 63, height: 47 });
    expect(await image.decode()).toMatchObject({ width: 47, height: 63 });

    const png = fixture('small-p3.png');
    const parts = [png.subarray(0, HEADER_END), text(10), png.subarray(HEADER_END)];
    expect(await decode(Buffer.concat(parts))).toEqual(await decode(png));
  });

  test('truncates the file at a text chunk that exceeds it', async () => {
    const png = withChunks([text(1000)]);
    new DataView(png.buffer).setUint32(HEADER_END, 0xffffffff);
    await expect(decode(png)).rejects.toMatchObject({ code: 'image_corrupt' });
  });
});
