import type { BoundingBox } from '@sightline/core/analysis/geometry';
import type { QuarterTurn } from '@sightline/core/analysis/image-analyzer';
import sharp from 'sharp';

interface Size {
  readonly width: number;
  readonly height: number;
}

/** A photo that is turned clockwise, as a PNG without EXIF data. */
export interface TurnedPhoto {
  readonly png: Uint8Array;
  /** The size of the upright photo, in pixels. */
  readonly upright: Size;
}

/** Turns a photo clockwise, from the upright position that its EXIF data state. No pixel changes. */
export async function turnPhoto(photo: Uint8Array, turn: QuarterTurn): Promise<TurnedPhoto> {
  const { data, info } = await sharp(photo)
    .autoOrient()
    .rotate(turn)
    .png({ compressionLevel: 1 })
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const upright = turn % 180 === 0 ? { width, height } : { width: height, height: width };
  return { png: new Uint8Array(data), upright };
}

/**
 * Maps a box in a photo that is turned clockwise back to the upright photo.
 *
 * @param upright the size of the upright photo
 */
export function boxInUpright(
  { x, y, w, h }: BoundingBox,
  turn: QuarterTurn,
  { width, height }: Size,
): BoundingBox {
  switch (turn) {
    case 0:
      return { x, y, w, h };
    case 90:
      return { x: y, y: height - x - w, w: h, h: w };
    case 180:
      return { x: width - x - w, y: height - y - h, w, h };
    case 270:
      return { x: width - y - h, y: x, w: h, h: w };
  }
}
