import type { Raster } from '../image/raster.ts';
import { MEMORY } from './kernels.ts';
import type { Scratch } from './scratch.ts';

/**
 * The bytes of a strip: few enough to stay in a core's own cache between the copy and the kernel.
 */
const STRIP_BYTES = 256 * 1024;

/** The rows of an image that kernels work on, copied to the kernels' memory strip by strip. */
export class SourceRows {
  readonly stride: number;
  /** The maximum number of rows that {@link load} can provide at once. */
  readonly capacity: number;
  readonly #source: Raster;
  readonly #address: number;
  /** The range of rows in memory: from `first` on and before `end`. */
  #first = 0;
  #end = 0;

  /**
   * @param rows number of rows to provide at once; fewer if memory is short, but at least two
   * @param ahead whether to copy further rows as well, for callers that will need most of them
   */
  constructor(
    source: Raster,
    scratch: Scratch,
    { rows, ahead }: { readonly rows: number; readonly ahead: boolean },
  ) {
    this.stride = 3 * source.width;
    const strip = ahead ? Math.max(rows, Math.floor(STRIP_BYTES / this.stride)) : rows;
    const fitting = Math.max(2, Math.floor(scratch.free / this.stride));
    this.capacity = Math.min(strip, fitting, source.height);
    this.#source = source;
    this.#address = scratch.take(this.capacity * this.stride);
  }

  /**
   * @param count at most {@link capacity}
   * @returns address of the first row, which the other rows follow
   */
  load(first: number, count: number): number {
    if (first < this.#first || first + count > this.#end) this.#copyFrom(first);
    return this.#address + (first - this.#first) * this.stride;
  }

  #copyFrom(first: number): void {
    this.#first = first;
    this.#end = Math.min(first + this.capacity, this.#source.height);
    const rows = this.#source.data.subarray(first * this.stride, this.#end * this.stride);
    MEMORY.bytes.set(rows, this.#address);
  }
}
