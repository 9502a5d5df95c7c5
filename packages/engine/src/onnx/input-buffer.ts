/**
 * The memory of a network's input, reused between runs. An input has up to 20 MB, and allocating
 * memory takes as much time as filling it. Overlapping runs get separate memory.
 */
export class InputBuffer {
  #free: Float32Array | null = null;

  /**
   * @param length number of values; the input may still contain values of an earlier run
   * @param use must not keep a reference to the input after its promise resolves
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
