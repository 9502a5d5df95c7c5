import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { noise } from '../math/testing/noise.ts';
import { openWithSharp } from './decode-sharp.ts';
import { sharp } from './sharp.ts';
import { isSrgbProfile } from './srgb-profile.ts';
import { layOutTiff } from './uncompressed-tiff.ts';

type Tag = readonly [signature: string, data: Uint8Array];

const WHITE = [0.9642, 1, 0.82491];
const RED = [0.43607, 0.22249, 0.01392];
const GREEN = [0.38515, 0.71687, 0.09708];
const BLUE = [0.14307, 0.06061, 0.7141];

function bytesOf(type: string, write: (view: DataView) => void, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  bytes.set(Buffer.from(type, 'latin1'));
  write(new DataView(bytes.buffer));
  return bytes;
}

function xyz(values: readonly number[]): Uint8Array {
  return bytesOf(
    'XYZ ',
    (view) => values.forEach((value, i) => view.setInt32(8 + 4 * i, Math.round(value * 65_536))),
    20,
  );
}

function sampled(count: number, curve: (encoded: number) => number): Uint8Array {
  return bytesOf(
    'curv',
    (view) => {
      view.setUint32(8, count);
      for (let i = 0; i < count; i++) {
        view.setUint16(12 + 2 * i, Math.round(65_535 * curve(i / (count - 1))));
      }
    },
    12 + 2 * count,
  );
}

function parametric(...values: readonly number[]): Uint8Array {
  return bytesOf(
    'para',
    (view) => {
      view.setUint16(8, 3);
      values.forEach((value, i) => view.setInt32(12 + 4 * i, Math.round(value * 65_536)));
    },
    12 + 4 * values.length,
  );
}

function srgb(encoded: number): number {
  return encoded >= 0.04045 ? ((encoded + 0.055) / 1.055) ** 2.4 : encoded / 12.92;
}

const SAMPLED = sampled(1024, srgb);

function tagsOf({ curve = SAMPLED, green = GREEN } = {}): Tag[] {
  return [
    ['wtpt', xyz(WHITE)],
    ['rXYZ', xyz(RED)],
    ['gXYZ', xyz(green)],
    ['bXYZ', xyz(BLUE)],
    ['rTRC', curve],
    ['gTRC', curve],
    ['bTRC', curve],
  ];
}

function profile(tags: readonly Tag[], { space = 'RGB ' } = {}): Uint8Array {
  const start = 132 + 12 * tags.length;
  const length = tags.reduce((sum, [, data]) => sum + data.length, start);
  const bytes = Buffer.alloc(length);
  bytes.writeUInt32BE(length, 0);
  bytes.writeUInt32BE(0x02100000, 8);
  bytes.write(`mntr${space}XYZ `, 12, 'latin1');
  bytes.write('acsp', 36, 'latin1');
  bytes.set(xyz(WHITE).subarray(8), 68);
  bytes.writeUInt32BE(tags.length, 128);
  let at = start;
  for (const [index, [signature, data]] of tags.entries()) {
    bytes.write(signature, 132 + 12 * index, 'latin1');
    bytes.writeUInt32BE(at, 136 + 12 * index);
    bytes.writeUInt32BE(data.length, 140 + 12 * index);
    bytes.set(data, at);
    at += data.length;
  }
  return bytes;
}

async function builtIn(name: string): Promise<Buffer> {
  const pixel = { create: { width: 1, height: 1, channels: 3, background: 'red' } } as const;
  const png = await sharp(pixel).withIccProfile(name).png().toBuffer();
  return (await sharp(png).metadata()).icc!;
}

describe('isSrgbProfile', () => {
  test.each([
    ['sampled curves', tagsOf()],
    ['curves of few samples', tagsOf({ curve: sampled(64, srgb) })],
    [
      'parametric curves',
      tagsOf({ curve: parametric(2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045) }),
    ],
  ])('knows sRGB with %s', (_, tags) => {
    expect(isSrgbProfile(profile(tags))).toBe(true);
  });

  test.each([
    ['other colorants', tagsOf({ green: [0.36, 0.73, 0.09] })],
    ['a gamma of 2.2', tagsOf({ curve: sampled(1024, (encoded) => encoded ** 2.2) })],
    ['a parametric gamma', tagsOf({ curve: parametric(2.2, 1, 0, 0, 0) })],
    ['linear curves', tagsOf({ curve: bytesOf('curv', () => undefined, 12) })],
    ['a table', [...tagsOf(), ['A2B0', new Uint8Array(20)] as const]],
    ['a curve missing', tagsOf().slice(0, -1)],
  ])('refuses %s', (_, tags) => {
    expect(isSrgbProfile(profile(tags))).toBe(false);
  });

  test('refuses another color space', () => {
    expect(isSrgbProfile(profile(tagsOf(), { space: 'CMYK' }))).toBe(false);
  });

  test('knows the profiles of libvips apart', async () => {
    expect(isSrgbProfile(await builtIn('srgb'))).toBe(true);
    expect(isSrgbProfile(await builtIn('p3'))).toBe(false);
  });

  test('ends for any bytes, and for a profile that is cut or damaged', () => {
    const whole = profile(tagsOf());
    for (let length = 0; length < 400; length++) {
      expect(isSrgbProfile(whole.subarray(0, length))).toBe(false);
    }
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.nat(255), (at, value) => {
        const damaged = whole.slice();
        damaged[at] = value;
        expect(typeof isSrgbProfile(damaged)).toBe('boolean');
      }),
    );
  });
});

describe('an image with a profile', () => {
  const { data: levels } = noise(64, 64);

  async function decoded(iccProfile: Uint8Array): Promise<Uint8Array> {
    const tiff = layOutTiff({ width: 64, height: 64, channels: 3, iccProfile });
    tiff.pixels.set(levels);
    const image = await openWithSharp(tiff.bytes);
    return (await image.decode()).data;
  }

  test('keeps its values if the profile is that of sRGB', async () => {
    // Equal values show that the profile was not applied: its curve has few samples, so a conversion would change
    // some values by one.
    const data = await decoded(profile(tagsOf({ curve: sampled(64, srgb) })));
    expect(Buffer.from(data).equals(levels)).toBe(true);
  });

  test('is converted if the profile is another one', async () => {
    const data = await decoded(await builtIn('p3'));
    expect(Buffer.from(data).equals(levels)).toBe(false);
  });
});
