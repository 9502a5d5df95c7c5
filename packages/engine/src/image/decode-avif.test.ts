import { describe, expect, test } from '@jest/globals';
import { openAvif } from './decode-avif.ts';
import { fixture } from './testing/fixture.ts';

const withMajorBrand = (name: string, brand: string) => {
  const bytes = fixture(name);
  bytes.set(Buffer.from(brand), 8);
  return bytes;
};

const open = (bytes: Uint8Array) => openAvif(bytes, 1e6);

describe('openAvif', () => {
  test.each(['avif', 'avis', 'mif1', 'MA1A'])(
    'opens a file whose major brand is %s',
    async (brand) => {
      const bytes = withMajorBrand('master.avif', brand);
      const before = bytes.slice();
      expect(await open(bytes)).toMatchObject({ width: 256, height: 192 });
      expect(bytes).toEqual(before);
    },
  );

  test('opens the first image of a sequence', async () => {
    expect(await open(fixture('small-sequence.avif'))).toMatchObject({ width: 63, height: 47 });
  });

  test.each(['master.avif', 'small-rgba.avif', 'small-sequence.avif', 'master-grid.avif'])(
    'does not show libvips a side that it would complain about: %s',
    async (name) => {
      const sizes = [...Buffer.from(fixture(name)).toString('latin1').matchAll(/ispe/g)];
      for (const { index } of sizes) {
        const bytes = fixture(name);
        new DataView(bytes.buffer).setUint32(index + 8, 2 ** 28);
        await expect(open(bytes)).rejects.toMatchObject({ code: 'image_too_large' });
        new DataView(bytes.buffer).setUint32(index + 12, 0);
        await expect(open(bytes)).rejects.toMatchObject({ code: 'image_too_large' });
      }
    },
  );

  test('costs as much as the largest image in the file, because it is cropped after it was decoded', async () => {
    const { width, height, cost } = await openAvif(fixture('master.avif'), 1e6);
    expect(cost).toBe(6 * width * height);
    const claimed = fixture('master.avif');
    const ispe = Buffer.from(claimed).toString('latin1').indexOf('ispe');
    new DataView(claimed.buffer).setUint32(ispe + 8, 2 * width);
    expect((await openAvif(claimed, 1e6)).cost).toBe(12 * width * height);
  });

  test('refuses a grid that ends before its last tile', async () => {
    const grid = fixture('master-grid.avif');
    expect(await open(grid)).toMatchObject({ width: 256, height: 192 });
    const opened = open(grid.subarray(0, grid.length - 1));
    await expect(opened).rejects.toMatchObject({ code: 'image_corrupt' });
  });
});
