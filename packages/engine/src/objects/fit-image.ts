import { type FitImage, LETTERBOX_GRAY, letterboxCentered } from '../math/letterbox.ts';

/** Fits into the center of a gray canvas and keeps the aspect ratio; see `letterboxCentered`. */
export const fitCentered: FitImage = letterboxCentered;

/**
 * Fits into the upper left corner of a gray canvas and keeps the aspect ratio. Like `preproc` of
 * YOLOX, the function truncates sides to whole pixels.
 */
export const fitCorner: FitImage = (source, size, room = size) => {
  const scale = Math.min(room.height / source.height, room.width / source.width);
  const image = {
    width: Math.max(1, Math.trunc(source.width * scale)),
    height: Math.max(1, Math.trunc(source.height * scale)),
  };
  return {
    size,
    image,
    left: 0,
    top: 0,
    scaleX: scale,
    scaleY: scale,
    fill: LETTERBOX_GRAY,
    smooth: false,
  };
};

export const fitStretched: FitImage = (source, size) => ({
  size,
  image: size,
  left: 0,
  top: 0,
  scaleX: size.width / source.width,
  scaleY: size.height / source.height,
  fill: 0,
  smooth: false,
});
