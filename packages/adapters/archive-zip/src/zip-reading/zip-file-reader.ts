import type { LocalFile } from '@sightline/core/media/local-file';
import type { Readable } from 'node:stream';
import { RandomAccessReader } from 'yauzl';

/**
 * The number of bytes to read at once: the library requests the directory record by record, a hundred bytes at a
 * time.
 */
const BLOCK_BYTES = 64 * 1024;

/**
 * An archive file as the ZIP library reads it. It records an error of the file itself, which the library does not
 * distinguish from its own errors.
 */
export class ZipFileReader extends RandomAccessReader {
  readonly #file: LocalFile;
  #block: { readonly offset: number; readonly bytes: Uint8Array } | null = null;
  /** Why the file could not be read. */
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

  /** The library streams entries with this method, but here `readEntry` reads them instead. */
  override _readStreamForRange(): Readable {
    throw new TypeError('Entries are not streamed by the library.');
  }

  override close(callback: (error: Error | null) => void): void {
    callback(null);
  }

  async #bytesAt(position: number, length: number): Promise<Uint8Array> {
    const { size } = this.#file;
    if (position + length > size) throw new RangeError('The archive ends before.');
    const known = this.#block;
    const from = position - (known?.offset ?? Infinity);
    if (known !== null && from >= 0 && from + length <= known.bytes.length) {
      return known.bytes.subarray(from, from + length);
    }
    const wanted = Math.min(Math.max(length, BLOCK_BYTES), size - position);
    try {
      const bytes = await this.#file.read({ offset: position, size: wanted });
      this.#block = { offset: position, bytes };
      return bytes.subarray(0, length);
    } catch (cause) {
      this.failure = { cause };
      throw cause;
    }
  }
}
