import { setImmediate as turn } from 'node:timers/promises';

const FIRST_BLOCK_BYTES = 512;
const LARGEST_BLOCK_BYTES = 256 * 1024;
/**
 * The number of bytes that are copied before the event loop gets a turn, so that many copies do not delay other
 * requests.
 */
const COPIED_AT_ONCE = 1024 ** 2;

/**
 * Collects bytes while they arrive. The bytes are copied into blocks, because a client may send single bytes. Keeping
 * one chunk object per byte would need hundreds of times the memory, and would also keep the whole receive buffers.
 */
export class KeptBytes {
  /** The blocks with the collected bytes. All blocks except the last are full. */
  #blocks: Buffer[] = [];
  /** The number of free bytes in the last block. */
  #room = 0;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  push(bytes: Uint8Array): void {
    for (let rest = bytes; rest.length > 0;) {
      if (this.#room === 0) this.#openBlock(rest.length);
      const block = this.#blocks.at(-1)!;
      const part = rest.subarray(0, this.#room);
      block.set(part, block.length - this.#room);
      this.#room -= part.length;
      this.#size += part.length;
      rest = rest.subarray(part.length);
    }
  }

  /** Returns all bytes in a new buffer that can be transferred to a worker thread, and clears this collection. */
  async take(): Promise<Uint8Array<ArrayBuffer>> {
    const blocks = this.#blocks;
    // Buffer.concat may return a part of a shared pool, which cannot be transferred, so the bytes are copied here.
    const bytes = new Uint8Array(this.#size);
    this.clear();
    let pause = COPIED_AT_ONCE;
    let offset = 0;
    for (const block of blocks) {
      const part = block.subarray(0, bytes.length - offset);
      bytes.set(part, offset);
      offset += part.length;
      if (offset < pause) continue;
      pause += COPIED_AT_ONCE;
      await turn();
    }
    return bytes;
  }

  clear(): void {
    this.#blocks = [];
    this.#room = 0;
    this.#size = 0;
  }

  /** Adds a block as large as all bytes so far, within limits. A short text therefore leaves little memory unused. */
  #openBlock(needed: number): void {
    const length = Math.max(FIRST_BLOCK_BYTES, needed, this.#size);
    this.#room = Math.min(length, LARGEST_BLOCK_BYTES);
    this.#blocks.push(Buffer.allocUnsafeSlow(this.#room));
  }
}
