import { access, constants, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type ByteRange, requireRange } from '@sightline/core/media/byte-range';
import type { LocalFile } from '@sightline/core/media/local-file';
import { isMediaKey } from '@sightline/core/media/media-key';
import type { MediaEntry, MediaObject, MediaStore } from '@sightline/core/media/media-store';
import type { FileContent } from '@sightline/platform/data-folder/write-durably';
import { freeBytesOf } from '@sightline/platform/data-folder/free-bytes';
import { DiskReserve } from './disk-reserve.ts';
import { removeIfThere } from './existing-file.ts';
import { DurableFolders } from './durable-folders.ts';
import { fileSystemTime } from './file-system-time.ts';
import { ifThere, listFiles } from './list-files.ts';
import { openObject } from './open-object.ts';
import { copyOf, placeFile } from './place-file.ts';
import { withStoreErrors } from './store-error.ts';

export interface FileMediaOptions {
  /** A folder that only this store uses. */
  readonly folder: string;
  /** The number of bytes that must stay free on the disk of the folder. */
  readonly reserveBytes?: number;
}

/**
 * Stores objects as files below one folder, which only one process uses at a time:
 *
 * - `objects/<key>`: the objects. A file is renamed to this path after its content is on disk.
 * - `tmp/`: objects that are being written. `open` deletes files that a crash has left there.
 *
 * A removal is not synced to disk. After a power failure a removed object may exist again, without a row in the
 * database; the collection of orphans removes it.
 */
export class FileMediaStore implements MediaStore {
  readonly #objects: string;
  readonly #temporary: string;
  readonly #folders: DurableFolders;
  readonly #reserve: DiskReserve;

  /** Uses a folder that another process has opened. Does not delete the files that the other process is writing. */
  static attach(options: FileMediaOptions): FileMediaStore {
    return new FileMediaStore(options);
  }

  /**
   * Opens a folder, or creates it in an existing parent.
   *
   * @throws StoreUnavailable if the folder cannot be used
   */
  static async open(options: FileMediaOptions): Promise<FileMediaStore> {
    const store = new FileMediaStore(options);
    await withStoreErrors(async () => {
      await rm(store.#temporary, { recursive: true, force: true });
      await store.#folders.make(store.#temporary);
      await store.#folders.make(store.#objects);
    });
    return store;
  }

  private constructor({ folder, reserveBytes = 0 }: FileMediaOptions) {
    this.#objects = join(folder, 'objects');
    this.#temporary = join(folder, 'tmp');
    this.#folders = new DurableFolders(dirname(folder));
    this.#reserve = new DiskReserve({
      holds: 'images',
      folder: this.#temporary,
      bytes: reserveBytes,
    });
  }

  async put(key: string, bytes: Uint8Array, signal?: AbortSignal): Promise<void> {
    await this.#store(this.#pathOf(key), bytes, signal);
  }

  /** Also throws StoreUnavailable if the file would use space of the disk's reserve. */
  async putFile(key: string, file: LocalFile, signal?: AbortSignal): Promise<void> {
    const path = this.#pathOf(key);
    await this.#reserve.require(signal, file.size);
    await this.#store(path, copyOf(file), signal);
  }

  async open(key: string, range?: ByteRange, signal?: AbortSignal): Promise<MediaObject | null> {
    const path = this.#pathOf(key);
    if (range !== undefined) requireRange(range);
    return openObject(path, range, signal);
  }

  async remove(keys: readonly string[], signal?: AbortSignal): Promise<void> {
    const paths = keys.map((key) => this.#pathOf(key));
    for (const path of paths) {
      await withStoreErrors(() => removeIfThere(path), signal);
    }
  }

  async *list(prefix: string, signal?: AbortSignal): AsyncIterable<MediaEntry> {
    const now = await ifThere(() => fileSystemTime(this.#objects), signal);
    if (now === null) return;
    for await (const { key, size, modifiedMs } of listFiles(this.#objects, prefix, signal)) {
      if (isMediaKey(key)) yield { key, size, ageMs: Math.max(0, now - modifiedMs) };
    }
  }

  freeBytes(signal?: AbortSignal): Promise<number> {
    return withStoreErrors(() => freeBytesOf(this.#objects), signal);
  }

  /** Also requires that the folder is writable and that the disk's reserve is free. */
  async requireAnswer(signal?: AbortSignal): Promise<void> {
    await withStoreErrors(() => access(this.#temporary, constants.W_OK), signal);
    await this.#reserve.require(signal);
  }

  check(signal?: AbortSignal): Promise<void> {
    return this.requireAnswer(signal);
  }

  async #store(path: string, content: FileContent, signal?: AbortSignal): Promise<void> {
    const place = { path, temporary: this.#temporary, folders: this.#folders };
    await withStoreErrors(async () => {
      try {
        await placeFile(place, content, signal);
      } catch (error) {
        await removeIfThere(path);
        throw error;
      }
    }, signal);
  }

  #pathOf(key: string): string {
    if (!isMediaKey(key))
      throw new RangeError('The given key is not a valid key of a media object.');
    return join(this.#objects, key);
  }
}
