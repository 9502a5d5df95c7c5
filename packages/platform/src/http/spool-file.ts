import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A range of bytes in the spool file. */
export interface SpoolRange {
  readonly offset: number;
  readonly size: number;
}

/**
 * A temporary file without a name: it is unlinked as soon as it is open, so that nothing of it is
 * left even if the process is killed. Appends must not overlap.
 */
export class SpoolFile implements AsyncDisposable {
  readonly #handle: FileHandle;
  #end = 0;

  private constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  static async open(): Promise<SpoolFile> {
    const path = join(tmpdir(), `sightline-upload-${process.pid}-${randomUUID()}`);
    const handle = await open(path, 'wx+', 0o600);
    await unlink(path);
    return new SpoolFile(handle);
  }

  async append(chunks: AsyncIterable<Uint8Array>): Promise<SpoolRange> {
    const offset = this.#end;
    for await (const chunk of chunks) {
      await this.#handle.writev([chunk], this.#end);
      this.#end += chunk.length;
    }
    return { offset, size: this.#end - offset };
  }

  async read({ offset, size }: SpoolRange): Promise<Uint8Array<ArrayBuffer>> {
    const bytes = new Uint8Array(size);
    let filled = 0;
    while (filled < size) {
      const { bytesRead } = await this.#handle.read(bytes, filled, size - filled, offset + filled);
      if (bytesRead === 0) throw new RangeError('The range lies outside the spool file.');
      filled += bytesRead;
    }
    return bytes;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handle.close();
  }
}
