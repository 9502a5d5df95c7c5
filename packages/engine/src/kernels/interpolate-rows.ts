import { type AxisTaps, columnTaps, rowTaps } from '../math/resize-bilinear.ts';
import { kernels, MEMORY } from './kernels.ts';
import type { Resizing, RowReceiver } from './resizing.ts';
import type { Scratch } from './scratch.ts';
import { SourceRows } from './source-rows.ts';

/** The bytes of a tap: a byte offset of 32 bits and two weights of 16 bits. */
const TAP_BYTES = 8;

/** Resizes like `resizeBilinear`, unless both sides are exactly halved. */
export function interpolateRows({ source, size, scratch }: Resizing, receive: RowReceiver): void {
  const columns = storeTaps(columnTaps(source.width, size.width), scratch);
  const { first, second, firstWeight, secondWeight } = rowTaps(source.height, size.height);
  const stretched = new StretchedRows(columns, size.width, scratch);
  const out = scratch.take(3 * size.width);
  // Most rows of a much larger image have no weight, so copying further rows ahead would be wasted.
  const ahead = source.height < 2 * size.height;
  const rows = new SourceRows(source, scratch, { rows: 2, ahead });
  for (let y = 0; y < size.height; y++) {
    const upperRow = first[y]!;
    const lowerRow = second[y]!;
    stretched.advance(rows, upperRow, lowerRow);
    kernels.blendRows(
      stretched.upper,
      stretched.lower,
      firstWeight[y]!,
      secondWeight[y]!,
      3 * size.width,
      out,
    );
    receive(out, y);
  }
}

function storeTaps({ first, firstWeight, secondWeight }: AxisTaps, scratch: Scratch): number {
  const taps = scratch.take(TAP_BYTES * first.length);
  const { uint32, int16 } = MEMORY;
  for (let x = 0, at = taps; x < first.length; x++, at += TAP_BYTES) {
    uint32[at >> 2] = 3 * first[x]!;
    int16[(at >> 1) + 2] = firstWeight[x]!;
    int16[(at >> 1) + 3] = secondWeight[x]!;
  }
  // The kernel reads taps in pairs, so the last tap is repeated.
  MEMORY.bytes.copyWithin(
    taps + TAP_BYTES * first.length,
    taps + TAP_BYTES * (first.length - 1),
    taps + TAP_BYTES * first.length,
  );
  return taps;
}

/** The two source rows around a target row, stretched to its width. */
class StretchedRows {
  /** The addresses of the stretched values, in 1/128 with 16 bits each. */
  upper: number;
  lower: number;
  readonly #taps: number;
  readonly #width: number;
  #upperRow = -1;
  #lowerRow = -1;

  constructor(taps: number, width: number, scratch: Scratch) {
    this.#taps = taps;
    this.#width = width;
    this.upper = scratch.take(6 * width);
    this.lower = scratch.take(6 * width);
  }

  advance(rows: SourceRows, upperRow: number, lowerRow: number): void {
    if (upperRow === this.#lowerRow) {
      [this.upper, this.lower] = [this.lower, this.upper];
      [this.#upperRow, this.#lowerRow] = [this.#lowerRow, this.#upperRow];
    }
    const count = lowerRow - upperRow + 1;
    if (upperRow !== this.#upperRow) {
      kernels.stretchRow(rows.load(upperRow, count), this.#taps, this.#width, this.upper);
    }
    if (lowerRow !== this.#lowerRow) {
      const address = rows.load(upperRow, count) + (count - 1) * rows.stride;
      kernels.stretchRow(address, this.#taps, this.#width, this.lower);
    }
    this.#upperRow = upperRow;
    this.#lowerRow = lowerRow;
  }
}
