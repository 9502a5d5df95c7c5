import type { LocalFile } from '@sightline/core/media/local-file';
import type { Readable } from 'node:stream';
import { RandomAccessReader } from 'yauzl';

/**
 * The minimum number of bytes per read. Larger reads save system calls, because yauzl requests the directory in records
 * of about 100 bytes.
 */
const BLOCK_BYTES = 64 * 1024;

/**
 * Lets yauzl read an archive's file. Keeps the read error of the file, because yauzl does not distinguish that error
 * from its own.
 */
export class ZipFileReader extends RandomAccessReader {
  readonly #file: LocalFile;
  #block: { readonly offset: number; readonly bytes: Uint8Array } | null = null;
  failure: { readonly cause: unknown } | null = null;

  constructor(file: LocalFile) {
    super();
    this.#file = file;
  }

  override read(
    ...[buffer, offset, length, position, callback]: Parameters<RandomAccessReader['read']>
  ): void {
    this.#bytesAt(position, length).then(
      (bytes) => {
        buffer.set(bytes, offset);
        callback(null);
      },
      (error: unknown) => callback(error as Error),
    );
  }

  /** Yauzl would stream entries with this method, but `readEntry` reads them without yauzl. */
  override _readStreamForRange(): Readable {
    throw new TypeError('This reader does not stream entries: call readEntry instead.');
  }

  override close(callback: (error: Error | null) => void): void {
    callback(null);
  }

  async #bytesAt(position: number, length: number): Promise<Uint8Array> {
    const { size } = this.#file;
    if (position + length > size)
      throw new RangeError('The archive ends before the requested bytes.');
    const known = this.#block;
    const from = position - (known?.offset ?? Infinity);
    if (known !== null && from >= 0 && from + length <= known.bytes.length) {
      return known.bytes.subarray(from, from + length);
    }
    const needed = Math.min(Math.max(length, BLOCK_BYTES), size - position);
    try {
      const bytes = await this.#file.read({ offset: position, size: needed });
      this.#block = { offset: position, bytes };
      return bytes.subarray(0, length);
    } catch (cause) {
      this.failure = { cause };
      throw cause;
    }
  }
}
