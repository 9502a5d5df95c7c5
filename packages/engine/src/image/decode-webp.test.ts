import { beforeAll, describe, expect, test } from '@jest/globals';
import { ImageTooLarge } from '@sightline/core/sources/image-errors';
import { openWebp } from './decode-webp.ts';
import { sharp } from './sharp.ts';

function riffChunk(type: string, data: Uint8Array): Buffer {
  const header = Buffer.alloc(8);
  header.write(type);
  header.writeUInt32LE(data.length, 4);
  return Buffer.concat([header, data, Buffer.alloc(data.length % 2)]);
}

const MAX_PIXELS = 1e6;
const RIFF_HEADER_BYTES = 12;
/** The header chunk of an animated WEBP. Its last six bytes are width - 1 and height - 1. */
const EXTENDED = riffChunk('VP8X', Uint8Array.of(2, 0, 0, 0, 0, 0, 0, 0, 0, 0));
const ANIMATION = riffChunk('ANIM', new Uint8Array(6));

describe('openWebp', () => {
  let frame: Buffer;

  beforeAll(async () => {
    const pixel = { width: 1, height: 1, channels: 3, background: '#336699' } as const;
    const webp = await sharp({ create: pixel }).webp({ lossless: true }).toBuffer();
    frame = riffChunk('ANMF', Buffer.concat([Buffer.alloc(16), webp.subarray(RIFF_HEADER_BYTES)]));
  });

  function animation(frames: number): Uint8Array<ArrayBuffer> {
    const all = Array<Buffer>(frames).fill(frame);
    const body = Buffer.concat([Buffer.from('WEBP'), EXTENDED, ANIMATION, ...all]);
    return new Uint8Array(riffChunk('RIFF', body));
  }

  test('decodes the first of several frames', async () => {
    const image = await openWebp(animation(300), MAX_PIXELS);
    expect(image).toMatchObject({ width: 1, height: 1 });
    expect([...(await image.decode()).data]).toEqual([0x33, 0x66, 0x99]);
  });

  // The decoder would need minutes to count this many frames.
  test('refuses too many frames before the decoder reads them', async () => {
    await expect(openWebp(animation(300_000), MAX_PIXELS)).rejects.toThrow(ImageTooLarge);
  });

  test('counts frames nested in the first one', async () => {
    const webp = animation(300_000);
    const first = Buffer.from(webp.buffer).indexOf('ANMF');
    new DataView(webp.buffer).setUint32(first + 4, webp.length - first - 8, true);
    await expect(openWebp(webp, MAX_PIXELS)).rejects.toThrow(ImageTooLarge);
  });
});
