import { MEMORY } from './kernels.ts';

/**
 * The maximum number of bytes beyond an array that a kernel accesses, because kernels read and
 * write whole vectors.
 */
const MARGIN = 32;
const ALIGNMENT = 16;

/** Allocates the kernels' memory for the arrays of one call. Only one call runs at a time. */
export class Scratch {
  #at = 0;

  /**
   * @returns address, a multiple of 16
   * @throws RangeError if no memory is left, which no image or network within the limits causes
   */
  take(bytes: number): number {
    const address = this.#at;
    const end = address + Math.ceil((bytes + MARGIN) / ALIGNMENT) * ALIGNMENT;
    if (end > MEMORY.bytes.length) throw new RangeError('The rows do not fit into memory.');
    this.#at = end;
    return address;
  }

  /** The largest array, in bytes, that {@link take} can still allocate. */
  get free(): number {
    return MEMORY.bytes.length - this.#at - MARGIN - ALIGNMENT;
  }
}
