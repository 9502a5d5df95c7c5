import type { Raster } from '../image/raster.ts';
import type { CentredLetterbox } from '../math/letterbox.ts';
import { resizeBilinear, type Size } from '../math/resize-bilinear.ts';

const GREY = 114;

/**
 * Fits a picture into the upper left corner of a grey canvas, keeping its aspect ratio; small
 * pictures are enlarged. As `preproc` of YOLOX does it: sides are cut to whole pixels.
 */
export function letterboxCorner(source: Raster, size: Size): CentredLetterbox {
  const scale = Math.min(size.height / source.height, size.width / source.width);
  const width = Math.max(1, Math.trunc(source.width * scale));
  const height = Math.max(1, Math.trunc(source.height * scale));
  const pixels = new Uint8Array(3 * size.width * size.height).fill(GREY);
  resizeBilinear(source, { width, height }, { pixels, rowStride: 3 * size.width, offset: 0 });
  return { pixels, scale, padX: 0, padY: 0 };
}
