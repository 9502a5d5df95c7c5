import type { Raster } from '../image/raster.ts';
import { letterboxCentred } from '../math/letterbox.ts';
import { resizeBilinear, type Size } from '../math/resize-bilinear.ts';

const GREY = 114;

/** A picture in the input of a net: a point (x, y) lies at ((x - padX) / scaleX, ...) in the source. */
export interface FittedPicture {
  /** RGB, interleaved, of exactly the size asked for. */
  readonly pixels: Uint8Array;
  /** Pixels of the input per pixel of the source. */
  readonly scaleX: number;
  readonly scaleY: number;
  /** Width of the left and height of the upper margin in pixels of the input. */
  readonly padX: number;
  readonly padY: number;
}

/** Puts a picture into the input of a net; small ones are enlarged. */
export type FitPicture = (source: Raster, size: Size) => FittedPicture;

/** Into the middle of a grey canvas, keeping the aspect ratio; see `letterboxCentred`. */
export const fitCentred: FitPicture = (source, size) => {
  const { pixels, scale, padX, padY } = letterboxCentred(source, size, GREY);
  return { pixels, scaleX: scale, scaleY: scale, padX, padY };
};

/**
 * Into the upper left corner of a grey canvas, keeping the aspect ratio. As `preproc` of YOLOX does
 * it: sides are cut to whole pixels.
 */
export const fitCorner: FitPicture = (source, size) => {
  const scale = Math.min(size.height / source.height, size.width / source.width);
  const width = Math.max(1, Math.trunc(source.width * scale));
  const height = Math.max(1, Math.trunc(source.height * scale));
  const pixels = new Uint8Array(3 * size.width * size.height).fill(GREY);
  resizeBilinear(source, { width, height }, { pixels, rowStride: 3 * size.width, offset: 0 });
  return { pixels, scaleX: scale, scaleY: scale, padX: 0, padY: 0 };
};

/** Over the whole canvas, whatever becomes of the aspect ratio. */
export const fitStretched: FitPicture = (source, size) => {
  const pixels = new Uint8Array(3 * size.width * size.height);
  resizeBilinear(source, size, { pixels, rowStride: 3 * size.width, offset: 0 });
  const scaleX = size.width / source.width;
  const scaleY = size.height / source.height;
  return { pixels, scaleX, scaleY, padX: 0, padY: 0 };
};
