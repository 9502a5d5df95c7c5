import type { LocalFile } from '@sightline/core/media/local-file';
import type { Readable } from 'node:stream';
import { RandomAccessReader } from 'yauzl';
import { FileBlocks } from './file-blocks.ts';

/**
 * Lets yauzl read an archive's file. Keeps the read error of the file, because yauzl does not distinguish that error
 * from its own.
 */
export class ZipFileReader extends RandomAccessReader {
  readonly #blocks: FileBlocks;
  failure: { readonly cause: unknown } | null = null;

  constructor(file: LocalFile) {
    super();
    this.#blocks = new FileBlocks(file);
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
    if (position + length > this.#blocks.size)
      throw new RangeError('The archive ends before the requested bytes.');
    try {
      return await this.#blocks.at(position, length);
    } catch (cause) {
      this.failure = { cause };
      throw cause;
    }
  }
}
