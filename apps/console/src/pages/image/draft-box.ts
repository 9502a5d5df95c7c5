/** A box in pixels of the upright original image. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** The least width and height of a drawn box; smaller ones show nothing that a model could recognize. */
export const MIN_SIDE = 8;

const DIRECTIONS: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};
const LARGE_STEP = 10;

export interface DraftKey {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
}

/** A box of a quarter of the image, in its middle. */
export function firstDraft({ width, height }: Size): Box {
  const side = Math.max(1, Math.round(Math.min(width, height) / 4));
  return {
    x: Math.round((width - side) / 2),
    y: Math.round((height - side) / 2),
    w: side,
    h: side,
  };
}

/** The box after an arrow key: it moves by a pixel, by ten with Shift; with Alt its size changes. Null for other keys. */
export function draftAfterKey(
  box: Box,
  { key, shiftKey, altKey }: DraftKey,
  image: Size,
): Box | null {
  const direction = DIRECTIONS[key];
  if (direction === undefined) return null;
  const step = shiftKey ? LARGE_STEP : 1;
  const [dx, dy] = [direction.x * step, direction.y * step];
  if (altKey) {
    return {
      ...box,
      w: clamp(box.w + dx, 1, image.width - box.x),
      h: clamp(box.h + dy, 1, image.height - box.y),
    };
  }
  return {
    ...box,
    x: clamp(box.x + dx, 0, image.width - box.w),
    y: clamp(box.y + dy, 0, image.height - box.h),
  };
}

/** The box between two points, in whole pixels, without the part outside the image. */
export function draftBetween(one: Point, other: Point, { width, height }: Size): Box {
  const [left, right] = ends(one.x, other.x, width);
  const [top, bottom] = ends(one.y, other.y, height);
  return { x: left, y: top, w: right - left, h: bottom - top };
}

export function isTooSmall({ w, h }: Box): boolean {
  return w < MIN_SIDE || h < MIN_SIDE;
}

function ends(one: number, other: number, most: number): [number, number] {
  const low = Math.round(clamp(Math.min(one, other), 0, most));
  return [low, Math.round(clamp(Math.max(one, other), 0, most))];
}

function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(value, most));
}

/** The place of a box in parts of the image, so that it fits a stored image of any size. */
export function placeOf({ x, y, w, h }: Box, { width, height }: Size) {
  return {
    left: `${(100 * x) / width}%`,
    top: `${(100 * y) / height}%`,
    width: `${(100 * w) / width}%`,
    height: `${(100 * h) / height}%`,
  };
}
