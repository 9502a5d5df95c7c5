import type { Fit } from './fit.ts';
import type { Size } from './resize-bilinear.ts';
import { roundHalfEven } from './round-half-even.ts';

/**
 * Fits an image into a canvas of a size, of which the image takes up at most `room`. Both are given by their sizes. Small
 * images are enlarged.
 */
export type FitImage = (source: Size, size: Size, room?: Size) => Fit;

/** The gray level of the margins with which ultralytics and YOLOX train. */
export const LETTERBOX_GRAY = 114;

/**
 * Fits an image into the upper left corner of a black canvas and keeps its aspect ratio. Small
 * images are enlarged. As in the SCRFD detector of insightface (Python), sides are truncated to
 * whole pixels, and the scale is that of the height.
 *
 * @param source size of the image
 * @param size size of the canvas
 * @param room the upper left part of the canvas to fit the image into; default: the whole canvas
 */
export function letterbox(source: Size, size: Size, room: Size = size): Fit {
  const aspect = source.height / source.width;
  const tall = aspect > room.height / room.width;
  // The sides are at least 1, because a strip thinner than a pixel would vanish. The reference
  // implementation fails on such a strip.
  const height = tall ? room.height : Math.max(1, Math.trunc(room.width * aspect));
  const width = tall ? Math.max(1, Math.trunc(room.height / aspect)) : room.width;
  const scale = height / source.height;
  return {
    size,
    image: { width, height },
    left: 0,
    top: 0,
    scaleX: scale,
    scaleY: scale,
    fill: 0,
    smooth: false,
  };
}

/**
 * Fits like {@link letterbox}, but shrinks by averaging areas, which preserves small faces in large
 * images. Sides are rounded to whole pixels, and both axes have the same scale.
 */
export function letterboxSmooth(source: Size, size: Size, room: Size = size): Fit {
  const scale = Math.min(room.height / source.height, room.width / source.width);
  return {
    size,
    image: roundedSize(source, scale),
    left: 0,
    top: 0,
    scaleX: scale,
    scaleY: scale,
    fill: 0,
    smooth: true,
  };
}

/** How a canvas is cut to an image. */
export interface Cut {
  /** The size of the canvas before it is cut. */
  readonly size: Size;
  /** The upper left part of the canvas that the image takes up at most; default: the whole canvas. */
  readonly room?: Size;
  /** The number of pixels of which the sides of a cut canvas are multiples. */
  readonly step: number;
}

/**
 * Fits an image like `fit`, with the same scale, into the smallest canvas that has room for it. A network spends as much
 * time on padding as on the image.
 */
export function fitTightly(fit: FitImage, source: Size, { size, room = size, step }: Cut): Fit {
  const { image } = fit(source, size, room);
  const cut = (side: 'width' | 'height') =>
    Math.min(size[side], step * Math.ceil(image[side] / step));
  return fit(source, { width: cut('width'), height: cut('height') }, room);
}

/**
 * Fits an image into the center of a gray canvas and keeps its aspect ratio, like `LetterBox` of
 * ultralytics. Small images are enlarged.
 */
export function letterboxCentered(source: Size, size: Size, room: Size = size): Fit {
  const scale = Math.min(room.height / source.height, room.width / source.width);
  const image = roundedSize(source, scale);
  return {
    size,
    image,
    // If the total margin is odd, its larger half is on the right or at the bottom.
    left: Math.floor((size.width - image.width) / 2),
    top: Math.floor((size.height - image.height) / 2),
    scaleX: scale,
    scaleY: scale,
    fill: LETTERBOX_GRAY,
    smooth: false,
  };
}

function roundedSize({ width, height }: Size, scale: number): Size {
  return {
    width: Math.max(1, roundHalfEven(width * scale)),
    height: Math.max(1, roundHalfEven(height * scale)),
  };
}
