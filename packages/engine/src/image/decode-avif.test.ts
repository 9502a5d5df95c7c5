import { describe, expect, test } from '@jest/globals';
import { openAvif } from './decode-avif.ts';
import { fixture } from './testing/fixture.ts';

const withMajorBrand = (name: string, brand: string) => {
  const bytes = fixture(name);
  bytes.set(Buffer.from(brand), 8);
  return bytes;
};

describe('openAvif', () => {
  test.each(['avif', 'avis', 'mif1', 'MA1A'])(
    'opens a file whose major brand is %s',
    async (brand) => {
      const bytes = withMajorBrand('master.avif', brand);
      const before = bytes.slice();
      expect(await openAvif(bytes)).toMatchObject({ width: 256, height: 192 });
      expect(bytes).toEqual(before);
    },
  );

  test('opens the first image of a sequence', async () => {
    expect(await openAvif(fixture('small-sequence.avif'))).toMatchObject({ width: 63, height: 47 });
  });

  test('refuses a grid that ends before its last tile', async () => {
    const grid = fixture('master-grid.avif');
    expect(await openAvif(grid)).toMatchObject({ width: 256, height: 192 });
    const opened = openAvif(grid.subarray(0, grid.length - 1));
    await expect(opened).rejects.toMatchObject({ code: 'image_corrupt' });
  });
});
