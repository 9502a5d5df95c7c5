/** The fewest bytes that are allocated when the first chunk arrives. */
const FIRST_BYTES = 64 * 1024;
/**
 * The memory as a multiple of the bytes that have arrived. Smaller steps would copy a photo more often, and leave more
 * memory to the garbage collector, which takes a third of the time in which a photo of several megabytes arrives.
 */
const GROWTH = 8;

/**
 * A known number of bytes, in memory that grows as they arrive. A sender that announces many bytes
 * and sends few therefore makes this process allocate little.
 */
export class GrowingBytes {
  readonly length: number;
  #bytes = new Uint8Array(0);
  #filled = 0;

  constructor(length: number) {
    this.length = length;
  }

  get isComplete(): boolean {
    return this.#filled === this.length;
  }

  fill(chunk: Uint8Array): Uint8Array {
    const own = chunk.subarray(0, this.length - this.#filled);
    this.#grow(this.#filled + own.length);
    this.#bytes.set(own, this.#filled);
    this.#filled += own.length;
    return chunk.subarray(own.length);
  }

  /** All bytes. Once they are complete, their buffer has exactly their length. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes;
  }

  #grow(needed: number): void {
    if (needed <= this.#bytes.length) return;
    const bytes = new Uint8Array(Math.min(this.length, Math.max(FIRST_BYTES, GROWTH * needed)));
    bytes.set(this.#bytes.subarray(0, this.#filled));
    this.#bytes = bytes;
  }
}
