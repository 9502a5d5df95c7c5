import type { Corners } from '../math/corners.ts';
import type { Size } from '../math/resize-bilinear.ts';
import type { Raster } from './raster.ts';

/** A part of an image that a network sees by itself, in pixels of the image. */
export interface Tile extends Size {
  readonly left: number;
  readonly top: number;
}

/** The longer side, relative to the shorter one, up to which it is enough to search the whole image. */
const MAX_WHOLE_ASPECT = 3;
/** The longer side in pixels up to which it is enough to search the whole image. */
const MAX_WHOLE_SIDE = 8192;
/** The shorter side in pixels below which an image shows nothing that a network finds. */
const MIN_SIDE = 16;
/** The maximum length of a tile relative to the shorter side of its image. */
const MAX_TILE_ASPECT = 2;
/** The maximum factor by which a network shrinks a tile. */
const MAX_SHRINKING = 2;
/** The overlap of neighboring tiles relative to their side. Anything smaller is whole in at least one tile. */
const OVERLAP = 1 / 4;
/** The distance from an edge of a tile, relative to its side, within which a box counts as cut off. */
const EDGE = 0.01;

/**
 * Plans the parts in which a network searches an image after it has searched the whole. A network sees the whole
 * image at a fixed size, so the longer an image is, the larger a thing has to be to be found. In tiles, the
 * smallest size depends on the shorter side, as it does in photos of usual shapes.
 *
 * @param inputSide the longer side of the network's input in pixels; smaller tiles would be enlarged
 * @returns tiles that cover the image, row by row; none for a photo of a usual shape and size
 */
export function planTiles({ width, height }: Size, inputSide: number): Tile[] {
  const longer = Math.max(width, height);
  const side = Math.max(
    inputSide,
    Math.min(MAX_TILE_ASPECT * Math.min(width, height), MAX_SHRINKING * inputSide),
  );
  const aspect = longer / Math.min(width, height);
  if (aspect <= MAX_WHOLE_ASPECT && longer <= MAX_WHOLE_SIDE) return [];
  if (longer <= side || Math.min(width, height) < MIN_SIDE) return [];
  const columns = split(width, side);
  return split(height, side).flatMap((row) =>
    columns.map((column) => ({
      left: column.start,
      top: row.start,
      width: column.length,
      height: row.length,
    })),
  );
}

/** Splits an axis into evenly spaced parts that overlap by at least {@link OVERLAP}. */
function split(length: number, side: number): { start: number; length: number }[] {
  if (length <= side) return [{ start: 0, length }];
  const steps = Math.ceil((length - side) / (side * (1 - OVERLAP)));
  return Array.from({ length: steps + 1 }, (_, step) => ({
    start: Math.round((step * (length - side)) / steps),
    length: side,
  }));
}

/** Copies the pixels of a tile. */
export function cutTile(image: Raster, { left, top, width, height }: Tile): Raster {
  const data = new Uint8Array(3 * width * height);
  for (let y = 0; y < height; y++) {
    const start = 3 * ((top + y) * image.width + left);
    data.set(image.data.subarray(start, start + 3 * width), 3 * y * width);
  }
  return { data, width, height };
}

/**
 * Returns whether a box, in pixels of the image, keeps clear of the edges that the tile has inside the image. The
 * thing in a box at such an edge continues beyond it. A neighboring tile has the whole thing, or it is so large that
 * the network finds it in the whole image.
 */
export function isWithinTile({ x1, y1, x2, y2 }: Corners, tile: Tile, image: Size): boolean {
  const margin = EDGE * Math.max(tile.width, tile.height);
  const [right, bottom] = [tile.left + tile.width, tile.top + tile.height];
  return (
    (tile.left === 0 || x1 > tile.left + margin) &&
    (tile.top === 0 || y1 > tile.top + margin) &&
    (right === image.width || x2 < right - margin) &&
    (bottom === image.height || y2 < bottom - margin)
  );
}
