import type { Raster } from '../image/raster.ts';
import { letterboxCentered } from '../math/letterbox.ts';
import { resizeBilinear, type Size } from '../math/resize-bilinear.ts';

const GRAY = 114;

/**
 * An image fitted into a network's input: (x, y) is at ((x - padX) / scaleX, ...) in the source.
 */
export interface FittedImage {
  /** RGB, interleaved, of exactly the requested size. */
  readonly pixels: Uint8Array;
  /** Pixels of the input per pixel of the source. */
  readonly scaleX: number;
  readonly scaleY: number;
  /** Width of the left and height of the upper margin in pixels of the input. */
  readonly padX: number;
  readonly padY: number;
}

/** Fits an image into a network's input; small images are enlarged. */
export type FitImage = (source: Raster, size: Size) => FittedImage;

/** Into the center of a gray canvas, keeping the aspect ratio; see `letterboxCentered`. */
export const fitCentered: FitImage = (source, size) => {
  const { pixels, scale, padX, padY } = letterboxCentered(source, size, GRAY);
  return { pixels, scaleX: scale, scaleY: scale, padX, padY };
};

/**
 * Into the upper left corner of a gray canvas, keeping the aspect ratio. Like `preproc` of YOLOX:
 * sides are truncated to whole pixels.
 */
export const fitCorner: FitImage = (source, size) => {
  const scale = Math.min(size.height / source.height, size.width / source.width);
  const width = Math.max(1, Math.trunc(source.width * scale));
  const height = Math.max(1, Math.trunc(source.height * scale));
  const pixels = new Uint8Array(3 * size.width * size.height).fill(GRAY);
  resizeBilinear(source, { width, height }, { pixels, rowStride: 3 * size.width, offset: 0 });
  return { pixels, scaleX: scale, scaleY: scale, padX: 0, padY: 0 };
};

/** Stretched over the whole canvas, ignoring the aspect ratio. */
export const fitStretched: FitImage = (source, size) => {
  const pixels = new Uint8Array(3 * size.width * size.height);
  resizeBilinear(source, size, { pixels, rowStride: 3 * size.width, offset: 0 });
  const scaleX = size.width / source.width;
  const scaleY = size.height / source.height;
  return { pixels, scaleX, scaleY, padX: 0, padY: 0 };
};
