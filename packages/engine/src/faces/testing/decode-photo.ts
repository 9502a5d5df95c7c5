import { readFile } from 'node:fs/promises';
import { DEFAULT_IMAGE_LIMITS } from '@sightline/core/sources/image-limits';
import { decodeImage } from '../../image/decode-image.ts';
import { PixelBudget } from '../../image/pixel-budget.ts';
import type { Raster } from '../../image/raster.ts';

export async function decodePhoto(path: string): Promise<Raster> {
  const limits = DEFAULT_IMAGE_LIMITS;
  // A `using` declaration would free the image's pixels at the end of this function.
  const image = await decodeImage(await readFile(path), {
    limits,
    budget: PixelBudget.alone(limits.maxPixels),
  });
  return image.raster;
}
