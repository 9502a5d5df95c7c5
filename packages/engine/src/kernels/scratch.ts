import { MEMORY } from './kernels.ts';

/** Kernels read and write whole vectors, up to this many bytes beyond an array. */
const MARGIN = 32;
const ALIGNMENT = 16;

/** Allocates the kernels' memory for the arrays of one call; only one call runs at a time. */
export class Scratch {
  #at = 0;

  /**
   * @returns address, a multiple of 16
   * @throws RangeError if no memory is left, for arrays that no image or network within the limits
   *   needs
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
