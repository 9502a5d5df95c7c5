import type { LocalFile } from '@sightline/core/media/local-file';

/** The minimum number of bytes per read. Larger reads save system calls for records that follow each other. */
const BLOCK_BYTES = 64 * 1024;

/** Reads small records of a file. Keeps the last block, for the records that follow. */
export class FileBlocks {
  readonly #file: LocalFile;
  #block: Buffer = Buffer.alloc(0);
  #offset = 0;

  constructor(file: LocalFile) {
    this.#file = file;
  }

  get size(): number {
    return this.#file.size;
  }

  /** @throws the errors of the file */
  async at(offset: number, size: number): Promise<Buffer> {
    const from = offset - this.#offset;
    if (from < 0 || from + size > this.#block.length) {
      const bytes = await this.#file.read({
        offset,
        size: Math.min(Math.max(size, BLOCK_BYTES), this.size - offset),
      });
      this.#block = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      this.#offset = offset;
    }
    const start = offset - this.#offset;
    return this.#block.subarray(start, start + size);
  }
}
