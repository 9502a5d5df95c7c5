/**
 * The memory of a network's input, used again from run to run: an input has up to 20 MB, and new
 * memory costs as much time as filling it. Runs that overlap get memory of their own.
 */
export class InputBuffer {
  #free: Float32Array | null = null;

  /**
   * @param length values of the input, which may be left from an earlier run
   * @param use must not keep the input after it is done
   */
  async with<T>(length: number, use: (input: Float32Array) => Promise<T>): Promise<T> {
    const free = this.#free;
    this.#free = null;
    const memory = free !== null && free.length >= length ? free : new Float32Array(length);
    try {
      return await use(memory.subarray(0, length));
    } finally {
      this.#free = memory;
    }
  }
}
