import sharp from 'sharp';
import type { Raster } from '../../image/raster.ts';

/** Decodes a photo of the tests. */
export async function decodePhoto(path: string): Promise<Raster> {
  const { data, info } = await sharp(path)
    .rotate()
    .toColourspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}
