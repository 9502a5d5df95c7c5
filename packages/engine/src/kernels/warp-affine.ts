import type { Raster } from '../image/raster.ts';
import { type Affine, invertAffine } from '../math/affine.ts';
import type { Size } from '../math/resize-bilinear.ts';
import { rowStart, warpAffine as warpByReference } from '../math/warp-affine.ts';
import { kernels, MEMORY } from './kernels.ts';
import { Scratch } from './scratch.ts';

// Math is destructured once because Jest runs tests in a vm context, where every access to a global
// is slow.
const { floor, fround, max, min } = Math;

/** A part of an image. The ends `right` and `bottom` are exclusive. */
interface Region {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/**
 * Computes the same results as `warpAffine` of `math`. Copies the part of the source under the target to the kernels'
 * memory. If that part does not fit, `warpAffine` of `math` runs instead. It is fast enough then, because it reads
 * only the sampled pixels, and they are few.
 */
export function warpAffine(source: Raster, transform: Affine, size: Size): Uint8Array {
  const back = invertAffine(transform);
  const region = regionUnder(back, size, source);
  const scratch = new Scratch();
  const rowBytes = 3 * size.width;
  const out = scratch.take(rowBytes * size.height);
  if (region === null || bytesOf(region) > scratch.free) {
    return warpByReference(source, transform, size);
  }
  const at = copyRegion(source, region, scratch);
  const stride = 3 * (region.right - region.left);
  for (let y = 0; y < size.height; y++) {
    kernels.warpRow(
      at - region.top * stride - 3 * region.left,
      stride,
      source.width,
      source.height,
      fround(back.a),
      fround(back.c),
      rowStart(back.b, back.tx, y),
      rowStart(back.d, back.ty, y),
      out + y * rowBytes,
      out + (y + 1) * rowBytes,
    );
  }
  return MEMORY.bytes.slice(out, out + rowBytes * size.height);
}

/**
 * Returns the region that contains all sampled pixels, or null if the map has values that are not
 * finite.
 */
function regionUnder(back: Affine, target: Size, source: Size): Region | null {
  const x = range(back.a, (row) => rowStart(back.b, back.tx, row), target);
  const y = range(back.c, (row) => rowStart(back.d, back.ty, row), target);
  if (![x.least, x.greatest, y.least, y.greatest].every(Number.isFinite)) return null;
  return {
    left: clamp(floor(x.least), source.width),
    right: clamp(floor(x.greatest) + 2, source.width),
    top: clamp(floor(y.least), source.height),
    bottom: clamp(floor(y.greatest) + 2, source.height),
  };
}

/**
 * Returns the sampled range along one axis. Only the ends of each row are computed, because
 * rounding is monotonic.
 */
function range(step: number, startOf: (row: number) => number, { width, height }: Size) {
  let least = Infinity;
  let greatest = -Infinity;
  for (let row = 0; row < height; row++) {
    const start = startOf(row);
    const end = fround(fround(step) * (width - 1) + start);
    least = min(least, start, end);
    greatest = max(greatest, start, end);
  }
  return { least, greatest };
}

function clamp(value: number, greatest: number): number {
  return min(max(value, 0), greatest);
}

/** @returns address of the first pixel; the rows follow each other without gaps */
function copyRegion({ data, width }: Raster, region: Region, scratch: Scratch): number {
  const { left, right, top, bottom } = region;
  const address = scratch.take(bytesOf(region));
  for (let row = top, at = address; row < bottom; row++, at += 3 * (right - left)) {
    const start = row * width;
    MEMORY.bytes.set(data.subarray(3 * (start + left), 3 * (start + right)), at);
  }
  return address;
}

function bytesOf({ left, right, top, bottom }: Region): number {
  return 3 * (right - left) * (bottom - top);
}
