/** The first memory that a part takes, in bytes. */
const FIRST_BYTES = 64 * 1024;

/**
 * Bytes of a known number, in memory that grows with what has come: a sender that announces much and
 * sends little takes little.
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

  /** Copies what belongs here; returns the rest of the chunk. */
  fill(chunk: Uint8Array): Uint8Array {
    const own = chunk.subarray(0, this.length - this.#filled);
    this.#grow(this.#filled + own.length);
    this.#bytes.set(own, this.#filled);
    this.#filled += own.length;
    return chunk.subarray(own.length);
  }

  /** All of them, once complete: then their buffer has exactly their length. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes;
  }

  #grow(needed: number): void {
    if (needed <= this.#bytes.length) return;
    const bytes = new Uint8Array(Math.min(this.length, Math.max(FIRST_BYTES, 2 * needed)));
    bytes.set(this.#bytes.subarray(0, this.#filled));
    this.#bytes = bytes;
  }
}
