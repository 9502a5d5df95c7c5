import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { spoolFull } from './spool-full.ts';

export interface SpoolRange {
  readonly offset: number;
  readonly size: number;
}

/** The number of bytes of an append that are collected for one write, because bodies arrive in chunks of a few KiB. */
const WRITE_BYTES = 256 * 1024;

/** The accounting of a file's disk space. */
export interface SpoolRoom {
  /** Called before bytes are written. An error that it throws fails the append. */
  reserve(bytes: number): Promise<void>;
  /** Called once, after the file was closed and its disk space was freed. */
  release(): void;
}

/**
 * A temporary file that is unlinked right after it was opened, so that the system frees its space even if the process
 * is killed. Callers must wait for an append before they start the next append.
 */
export class SpoolFile implements AsyncDisposable {
  readonly #handle: FileHandle;
  readonly #room: SpoolRoom;
  #end = 0;

  private constructor(handle: FileHandle, room: SpoolRoom) {
    this.#handle = handle;
    this.#room = room;
  }

  /** @throws HttpError store_unavailable */
  static async open(folder: string, room: SpoolRoom): Promise<SpoolFile> {
    const path = join(folder, `sightline-upload-${process.pid}-${randomUUID()}`);
    try {
      const handle = await open(path, 'wx+', 0o600);
      await unlink(path);
      return new SpoolFile(handle, room);
    } catch (error) {
      throw spoolFull(error);
    }
  }

  /** @throws HttpError store_unavailable if the file cannot be written; errors of `SpoolRoom.reserve` */
  async append(chunks: AsyncIterable<Uint8Array>): Promise<SpoolRange> {
    const offset = this.#end;
    let collected: Uint8Array[] = [];
    let bytes = 0;
    const write = async (): Promise<void> => {
      await this.#write(collected, bytes);
      this.#end += bytes;
      collected = [];
      bytes = 0;
    };
    for await (const chunk of chunks) {
      await this.#room.reserve(chunk.length);
      collected.push(chunk);
      bytes += chunk.length;
      if (bytes >= WRITE_BYTES) await write();
    }
    if (bytes > 0) await write();
    return { offset, size: this.#end - offset };
  }

  async read({ offset, size }: SpoolRange): Promise<Uint8Array<ArrayBuffer>> {
    // The memory is not filled with zeros, which would take this thread as long as the read takes another one.
    const bytes = new Uint8Array(Buffer.allocUnsafeSlow(size).buffer);
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
    this.#room.release();
  }

  async #write(chunks: readonly Uint8Array[], bytes: number): Promise<void> {
    try {
      let { bytesWritten: done } = await this.#handle.writev(chunks, this.#end);
      if (done === bytes) return;
      // A write to a nearly full disk may store only a part of the chunks. The next write then fails with an error.
      const whole = Buffer.concat(chunks);
      while (done < bytes) {
        done += (await this.#handle.write(whole, done, bytes - done, this.#end + done))
          .bytesWritten;
      }
    } catch (error) {
      throw spoolFull(error);
    }
  }
}
