import { readFile } from 'node:fs/promises';
import { DEFAULT_IMAGE_LIMITS } from '@sightline/core/sources/image-limits';
import { decodeImage } from '../../image/decode-image.ts';
import { PixelBudget } from '../../image/pixel-budget.ts';
import type { Raster } from '../../image/raster.ts';

export async function decodePhoto(path: string): Promise<Raster> {
  const limits = DEFAULT_IMAGE_LIMITS;
  // Not `using`: disposing of the image would free its pixels.
  const image = await decodeImage(await readFile(path), {
    limits,
    budget: PixelBudget.alone(limits.maxPixels),
  });
  return image.raster;
}
