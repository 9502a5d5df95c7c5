import { MEMORY } from './kernels.ts';

/** Kernels read and write whole vectors, up to this many bytes beyond an array. */
const MARGIN = 32;
const ALIGNMENT = 16;

/** Gives the kernels' memory to the arrays of one call; there is one call at a time. */
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

  /** Bytes that {@link take} can still give at once. */
  get free(): number {
    return MEMORY.bytes.length - this.#at - MARGIN - ALIGNMENT;
  }
}
