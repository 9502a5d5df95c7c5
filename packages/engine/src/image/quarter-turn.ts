import type { QuarterTurn } from '@sightline/core/analysis/image-analyzer';
import type { Affine } from '../math/affine.ts';
import type { Size } from '../math/resize-bilinear.ts';
import type { Raster } from './raster.ts';

/** Returns a copy of an image, turned clockwise. */
export function turnImage({ data, width, height }: Raster, turn: QuarterTurn): Raster {
  const { a, b, tx, c, d, ty } = mapFromTurned({ width, height }, turn);
  const size = turnedSize({ width, height }, turn);
  const turned = new Uint8Array(data.length);
  // The map applies to edges of pixels. Half a pixel leads to their centers, and is subtracted again.
  const firstX = (a + b) / 2 + tx - 0.5;
  const firstY = (c + d) / 2 + ty - 0.5;
  const step = 3 * (c * width + a);
  let to = 0;
  for (let y = 0; y < size.height; y++) {
    let from = 3 * ((firstY + d * y) * width + firstX + b * y);
    for (let x = 0; x < size.width; x++) {
      turned[to] = data[from]!;
      turned[to + 1] = data[from + 1]!;
      turned[to + 2] = data[from + 2]!;
      to += 3;
      from += step;
    }
  }
  return { data: turned, ...size };
}

/** Returns the map from points of the turned image to points of the image, both in pixels. */
export function mapFromTurned({ width, height }: Size, turn: QuarterTurn): Affine {
  switch (turn) {
    case 0:
      return { a: 1, b: 0, tx: 0, c: 0, d: 1, ty: 0 };
    case 90:
      return { a: 0, b: 1, tx: 0, c: -1, d: 0, ty: height };
    case 180:
      return { a: -1, b: 0, tx: width, c: 0, d: -1, ty: height };
    case 270:
      return { a: 0, b: -1, tx: width, c: 1, d: 0, ty: 0 };
  }
}

function turnedSize({ width, height }: Size, turn: QuarterTurn): Size {
  return turn % 180 === 0 ? { width, height } : { width: height, height: width };
}
