import type { Raster } from '../image/raster.ts';
import { letterboxSmooth } from '../math/letterbox.ts';
import { drawFit } from './draw-fit.ts';

/** An image that was shrunk, and its pixels per pixel of the original. */
export interface ShrunkImage {
  readonly image: Raster;
  readonly scale: number;
}

/** Shrinks an image until its longer side has `maxSide` pixels. The scale is 1 if the image is small enough already. */
export function shrinkImage(raster: Raster, maxSide: number): ShrunkImage {
  const scale = maxSide / Math.max(raster.width, raster.height);
  if (scale >= 1) return { image: raster, scale: 1 };
  const size = {
    width: Math.max(1, Math.round(raster.width * scale)),
    height: Math.max(1, Math.round(raster.height * scale)),
  };
  // The image is fitted into a square, because fitting a thin image into the rounded size would
  // shrink it by more than `scale`.
  const room = { width: maxSide, height: maxSide };
  return { image: { data: drawFit(raster, letterboxSmooth(raster, size, room)), ...size }, scale };
}
