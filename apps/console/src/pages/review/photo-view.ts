export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/** How many times as high as the face the part of the photo around it is. */
const SURROUNDINGS = 4;

/** The width of the frame of the photo, divided by its height. */
export const FRAME_RATIO = 4 / 3;

/** The part of the photo around a box that fills the frame. It stays inside the photo where the photo is large enough. */
export function partAround(box: Box, photo: Size): Box {
  const whole = wholePhoto(photo);
  const h = Math.min(Math.max(box.h, box.w / FRAME_RATIO) * SURROUNDINGS, whole.h);
  const w = h * FRAME_RATIO;
  return {
    x: placeInside(box.x + box.w / 2 - w / 2, w, photo.width),
    y: placeInside(box.y + box.h / 2 - h / 2, h, photo.height),
    w,
    h,
  };
}

/** The smallest part with the ratio of the frame that contains the whole photo. */
export function wholePhoto({ width, height }: Size): Box {
  const w = Math.max(width, height * FRAME_RATIO);
  const h = w / FRAME_RATIO;
  return { x: (width - w) / 2, y: (height - h) / 2, w, h };
}

/** The place of a box within a part of the photo, in percent of the frame. */
export function placeIn(part: Box, box: Box) {
  const percent = (share: number) => `${share * 100}%`;
  return {
    left: percent((box.x - part.x) / part.w),
    top: percent((box.y - part.y) / part.h),
    width: percent(box.w / part.w),
    height: percent(box.h / part.h),
  };
}

/** Moves a section into the photo, or centers it where it is larger than the photo. */
function placeInside(start: number, length: number, limit: number): number {
  if (length >= limit) return (limit - length) / 2;
  return Math.min(Math.max(start, 0), limit - length);
}
