import { ImageCorrupt } from '@sightline/core/sources/image-errors';

export interface RunLengthExtent {
  readonly width: number;
  readonly height: number;
  /** Whether the data is RLE4 with two indices per byte; otherwise it is RLE8. */
  readonly nibbles: boolean;
}

const END_OF_ROW = 0;
const END_OF_BITMAP = 1;
const DELTA = 2;

/**
 * Expands RLE8 or RLE4 data to one palette index per pixel, with the rows in stored order. Skipped
 * pixels get index 0, and data beyond the end of a row is dropped.
 *
 * @throws ImageCorrupt if the data ends before the bitmap is complete or exceeds the bitmap's
 *   height
 */
export function expandRuns(runs: Uint8Array, extent: RunLengthExtent): Uint8Array {
  const { width, height, nibbles } = extent;
  const indices = new Uint8Array(width * height);
  let at = 0;
  let x = 0;
  let y = 0;

  const next = (): number => {
    const byte = runs[at++];
    if (byte === undefined) throw new ImageCorrupt('The bitmap ends within its run-length data.');
    return byte;
  };
  /** Writes only the part of a run that is inside the row, so that a longer run costs nothing. */
  const put = (count: number, indexAt: (i: number) => number) => {
    if (y >= height)
      throw new ImageCorrupt('The run-length data of the bitmap exceeds its height.');
    for (let i = 0; i < count && x + i < width; i++) indices[y * width + x + i] = indexAt(i);
    x += count;
  };
  const repeat = (count: number, value: number) => {
    put(count, nibbles ? (i) => nibble(value, i) : () => value);
  };
  const copy = (count: number) => {
    const start = at;
    const bytes = nibbles ? (count + 1) >> 1 : count;
    at += bytes + (bytes & 1); // absolute runs end on a 16-bit boundary
    if (start + bytes > runs.length)
      throw new ImageCorrupt('The bitmap ends within its run-length data.');
    put(count, nibbles ? (i) => nibble(runs[start + (i >> 1)]!, i) : (i) => runs[start + i]!);
  };

  // Some writers omit the end mark, so the data may also end once the bitmap is complete.
  const complete = () => y >= height || (y === height - 1 && x >= width);
  while (at < runs.length || !complete()) {
    const count = next();
    const value = next();
    if (count > 0) repeat(count, value);
    else if (value === END_OF_BITMAP) return indices;
    else if (value === END_OF_ROW) [x, y] = [0, y + 1];
    else if (value === DELTA) [x, y] = [x + next(), y + next()];
    else copy(value);
  }
  return indices;
}

function nibble(byte: number, position: number): number {
  return (position & 1) === 0 ? byte >> 4 : byte & 15;
}
