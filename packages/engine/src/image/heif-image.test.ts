import { describe, expect, test } from '@jest/globals';
import { HeifImage } from './heif-image.ts';
import { decode, fixture } from './testing/fixture.ts';

const MAX_PIXELS = 1e6;

function recoded(bytes: Uint8Array, from: string, to: string): Uint8Array {
  const copy = Buffer.from(bytes);
  for (let at = copy.indexOf(from); at !== -1; at = copy.indexOf(from, at + 4)) copy.write(to, at);
  return new Uint8Array(copy);
}

function codeOf(open: () => unknown): string | undefined {
  try {
    open();
    return undefined;
  } catch (error) {
    return (error as { code: string }).code;
  }
}

const opened = (bytes: Uint8Array) => codeOf(() => new HeifImage(bytes, MAX_PIXELS));
const decoded = (bytes: Uint8Array) => codeOf(() => new HeifImage(bytes, MAX_PIXELS).decode());

describe('HeifImage', () => {
  test('knows size and alpha before decoding', () => {
    const size = { width: 63, height: 47 };
    const plain = new HeifImage(fixture('small.heic'), MAX_PIXELS);
    expect(plain).toMatchObject({ ...size, hasAlpha: false });
    expect(plain.colorProfile()).toBeNull();
    expect(new HeifImage(fixture('small-rgba.heic'), MAX_PIXELS)).toMatchObject({
      ...size,
      hasAlpha: true,
    });
  });

  test('returns the embedded profile unchanged', () => {
    const profile = new HeifImage(fixture('small-p3.heic'), MAX_PIXELS).colorProfile()!;
    expect(Buffer.from(profile).toString('latin1', 36, 40)).toBe('acsp');
    expect(new DataView(profile.buffer).getUint32(0)).toBe(profile.length);
  });

  test.each([
    ['small.heic', 3],
    ['small-10-bit.heic', 3],
    ['small-rgba.heic', 4],
  ])('decodes %s to rows of %i bytes per pixel', (name, channels) => {
    const image = new HeifImage(fixture(name), MAX_PIXELS);
    const { rows, stride, width, height } = image.decode();
    expect([width, height]).toEqual([image.width, image.height]);
    expect(stride).toBeGreaterThanOrEqual(width * channels);
    expect(rows).toHaveLength(stride * height);
  });

  test('rejects HEIF with another codec, whatever its brand', () => {
    expect(decoded(recoded(fixture('master.avif'), 'avif', 'heic'))).toBe('unsupported_format');
    expect(decoded(recoded(fixture('small.heic'), 'hvc1', 'unci'))).toBe('unsupported_format');
  });

  test('treats missing boxes as corrupt', () => {
    for (const box of ['pitm', 'iloc', 'ispe']) {
      expect(decoded(recoded(fixture('small.heic'), box, 'free'))).toBe('image_corrupt');
    }
    expect(opened(fixture('small.heic').subarray(0, 40))).toBe('image_corrupt');
  });

  test('treats a grid without its last tile as corrupt', () => {
    const grid = fixture('master-grid.heic');
    expect(decoded(grid)).toBeUndefined();
    expect(decoded(grid.subarray(0, grid.length - 1))).toBe('image_corrupt');
  });

  test('rejects an image over the limit, even if its header declares less', () => {
    const lying = fixture('master.heic');
    const view = new DataView(lying.buffer);
    const size = Buffer.from(lying).indexOf('ispe') + 8;
    view.setUint32(size, 16);
    view.setUint32(size + 4, 16);
    expect(codeOf(() => new HeifImage(lying, 256).decode())).toBe('image_too_large');
  });

  test('isolates the decoder of each file', async () => {
    const whole = await decode(fixture('master.heic'));
    const parallel = new HeifImage(fixture('small.heic'), MAX_PIXELS);
    const before = parallel.decode().rows.slice();
    for (let cut = 200; cut < 8000; cut += 400) decoded(fixture('master.heic').subarray(0, cut));
    expect(Buffer.compare(parallel.decode().rows, before)).toBe(0);
    expect(await decode(fixture('master.heic'))).toEqual(whole);
  });
});
