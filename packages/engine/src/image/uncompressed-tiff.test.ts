import { describe, expect, test } from '@jest/globals';
import { sharp } from './sharp.ts';
import { fixture } from './testing/fixture.ts';
import { layOutTiff } from './uncompressed-tiff.ts';

function filled(image: Parameters<typeof layOutTiff>[0]): Uint8Array {
  const { bytes, pixels } = layOutTiff(image);
  for (let i = 0; i < pixels.length; i++) pixels[i] = (i * 37) % 256;
  return bytes;
}

describe('layOutTiff', () => {
  const size = { width: 5, height: 3 };

  test.each([3, 4] as const)('a decoder reads the %i channels back', async (channels) => {
    const bytes = filled({ ...size, channels, iccProfile: null });
    const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
    expect(info).toMatchObject({ ...size, channels });
    expect([...data]).toEqual(Array.from({ length: 15 * channels }, (_, i) => (i * 37) % 256));
  });

  test.each([3, 4] as const)('%i channels can carry a profile', async (channels) => {
    const { icc } = await sharp(fixture('small-p3.png')).metadata();
    const iccProfile = new Uint8Array(icc!);
    const metadata = await sharp(filled({ ...size, channels, iccProfile })).metadata();
    expect(metadata.hasAlpha).toBe(channels === 4);
    expect(Buffer.compare(metadata.icc!, iccProfile)).toBe(0);
  });

  test('alpha is straight, not premultiplied', async () => {
    const { bytes, pixels } = layOutTiff({ width: 1, height: 1, channels: 4, iccProfile: null });
    pixels.set([100, 50, 0, 51]); // an alpha of 0.2
    const flat = await sharp(bytes).flatten({ background: '#ffffff' }).raw().toBuffer();
    expect([...flat]).toEqual([224, 214, 204]);
  });
});
