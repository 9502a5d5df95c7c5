import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { DEFAULT_IMAGE_LIMITS } from '@sightline/core/sources/image-limits';
import { decodeImage } from '../decode-image.ts';
import { PixelBudget } from '../pixel-budget.ts';
import type { Raster } from '../raster.ts';

const folder = resolve(import.meta.dirname, '../../../fixtures');

export function fixture(name: string): Uint8Array {
  return new Uint8Array(readFileSync(resolve(folder, name)));
}

/**
 * All fixtures. The images master.* show the same picture, and the images small-* are variants of
 * small.png.
 */
export const FIXTURES: readonly string[] = readdirSync(folder).filter(
  (name) => !/\.(ts|svg)$/.test(name),
);

export async function decode(bytes: Uint8Array): Promise<Raster> {
  const limits = DEFAULT_IMAGE_LIMITS;
  const budget = PixelBudget.alone(limits.maxPixelsInFlight);
  // A `using` declaration would free the image's pixels at the end of this function.
  const image = await decodeImage(bytes, { limits, budget });
  return image.raster;
}

/**
 * Returns the mean absolute difference of the channel values of two images of the same size,
 * 0..255.
 */
export function meanDifference(a: Raster, b: Raster): number {
  if (a.width !== b.width || a.height !== b.height) {
    throw new RangeError(`${a.width}x${a.height} is not ${b.width}x${b.height}`);
  }
  let sum = 0;
  for (let i = 0; i < a.data.length; i++) sum += Math.abs(a.data[i]! - b.data[i]!);
  return sum / a.data.length;
}
