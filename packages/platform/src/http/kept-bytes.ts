import { setImmediate as turn } from 'node:timers/promises';

const FIRST_BLOCK_BYTES = 512;
const LARGEST_BLOCK_BYTES = 256 * 1024;
/** The number of bytes that are copied in one turn of the event loop: many requests may copy at the same time. */
const COPIED_AT_ONCE = 1024 ** 2;

/**
 * Bytes that are kept as they arrive. They are copied into blocks, because a client may send them one by one: an
 * object for each byte would take hundreds of times its memory, and would keep the whole buffer in which the byte
 * arrived.
 */
export class KeptBytes {
  /** All but the last are full. */
  #blocks: Buffer[] = [];
  /** Free bytes of the last block. */
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

  /** The bytes in a buffer of their own, which may be transferred to a worker; nothing is kept then. */
  async take(): Promise<Uint8Array<ArrayBuffer>> {
    const blocks = this.#blocks;
    // Not Buffer.concat: small buffers share one pool, and a pool cannot be transferred.
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

  /** The sizes of blocks double, so that a short text does not occupy mostly unused memory. */
  #openBlock(wanted: number): void {
    const length = Math.max(FIRST_BLOCK_BYTES, wanted, this.#size);
    this.#room = Math.min(length, LARGEST_BLOCK_BYTES);
    this.#blocks.push(Buffer.allocUnsafeSlow(this.#room));
  }
}
