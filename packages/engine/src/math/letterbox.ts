import type { Raster } from '../image/raster.ts';
import { resizeArea } from './resize-area.ts';
import { resizeBilinear, type Size } from './resize-bilinear.ts';
import { roundHalfEven } from './round-half-even.ts';

/** An image fitted into a model's input; its point p is at p / scale in the source. */
export interface Letterbox {
  /** RGB, interleaved, of exactly the requested size. */
  readonly pixels: Uint8Array;
  /** Pixels of the letterbox per pixel of the source. */
  readonly scale: number;
}

/** A letterbox with margins; its point p is at (p - pad) / scale in the source. */
export interface CenteredLetterbox extends Letterbox {
  /** Width of the left and height of the upper margin in pixels. */
  readonly padX: number;
  readonly padY: number;
}

/**
 * Fits an image into the upper left corner of a black canvas, keeping its aspect ratio; small
 * images are enlarged. Like the SCRFD detector of insightface (Python): sides are truncated to
 * whole pixels, and the scale is that of the height.
 *
 * @param size of the canvas
 * @param room the upper left part of the canvas to fit the image into; default: all of it
 */
export function letterbox(source: Raster, size: Size, room: Size = size): Letterbox {
  const aspect = source.height / source.width;
  const tall = aspect > room.height / room.width;
  // A strip thinner than a pixel would vanish; the reference implementation fails on it.
  const height = tall ? room.height : Math.max(1, Math.trunc(room.width * aspect));
  const width = tall ? Math.max(1, Math.trunc(room.height / aspect)) : room.width;
  const pixels = new Uint8Array(3 * size.width * size.height);
  resizeBilinear(source, { width, height }, { pixels, rowStride: 3 * size.width, offset: 0 });
  return { pixels, scale: height / source.height };
}

/**
 * Like {@link letterbox}, but shrunk by averaging areas (see {@link resizeArea}), which preserves
 * small faces in large images. Sides are rounded to whole pixels, and both axes have the same
 * scale.
 */
export function letterboxSmooth(source: Raster, size: Size, room: Size = size): Letterbox {
  const scale = Math.min(room.height / source.height, room.width / source.width);
  const width = Math.max(1, roundHalfEven(source.width * scale));
  const height = Math.max(1, roundHalfEven(source.height * scale));
  const pixels = new Uint8Array(3 * size.width * size.height);
  resizeArea(source, { width, height }, { pixels, rowStride: 3 * size.width, offset: 0 });
  return { pixels, scale };
}

/**
 * Fits an image into the center of a canvas of one gray level, keeping its aspect ratio; small
 * images are enlarged. Like `LetterBox` of ultralytics with `auto=False`.
 *
 * @param fill gray level of the margins, 0..255
 */
export function letterboxCentered(source: Raster, size: Size, fill = 114): CenteredLetterbox {
  const scale = Math.min(size.height / source.height, size.width / source.width);
  const width = Math.max(1, roundHalfEven(source.width * scale));
  const height = Math.max(1, roundHalfEven(source.height * scale));
  // If a margin is odd, its larger half is on the right or at the bottom.
  const padX = Math.floor((size.width - width) / 2);
  const padY = Math.floor((size.height - height) / 2);
  const pixels = new Uint8Array(3 * size.width * size.height).fill(fill);
  const rowStride = 3 * size.width;
  resizeBilinear(
    source,
    { width, height },
    { pixels, rowStride, offset: padY * rowStride + 3 * padX },
  );
  return { pixels, scale, padX, padY };
}
