import { randomBytes, randomUUID } from 'node:crypto';
import { type FileHandle, open, rename, rm, statfs, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { boundsOf, type ByteRange, requireRange } from '@sightline/core/media/byte-range';
import { isMediaKey } from '@sightline/core/media/media-key';
import type { MediaEntry, MediaObject, MediaStore } from '@sightline/core/media/media-store';
import { DurableFolders, syncFolder } from './durable-folders.ts';
import { listFiles } from './list-files.ts';
import { isAbsence, withStoreErrors } from './store-error.ts';
import { streamFile } from './stream-file.ts';

/** About what a small image takes, and nothing that a disk could keep in less. */
const TRIAL = randomBytes(64 * 1024);

/**
 * Objects as files below one folder, which belongs to this process alone:
 *
 * - `objects/<key>`: the objects; a file appears there by one rename, when all of it is on disk
 * - `tmp/`: objects in the making; what a crash leaves there goes when the store is opened
 *
 * A removal is not forced to disk: after a power cut an object may be there again, without a row, and
 * is collected like every other orphan.
 */
export class FileMediaStore implements MediaStore {
  readonly #objects: string;
  readonly #temporary: string;
  readonly #folders: DurableFolders;
  #trial: Promise<void> | null = null;

  /** The objects of a folder that another process holds: what that one is making stays as it is. */
  static attach({ folder }: { readonly folder: string }): FileMediaStore {
    return new FileMediaStore(folder);
  }

  /**
   * Makes the folder if it is missing; what it stands in is there.
   *
   * @throws StoreUnavailable if the folder cannot be used
   */
  static async open({ folder }: { readonly folder: string }): Promise<FileMediaStore> {
    const store = new FileMediaStore(folder);
    await withStoreErrors(async () => {
      await rm(store.#temporary, { recursive: true, force: true });
      await store.#folders.make(store.#temporary);
      await store.#folders.make(store.#objects);
    });
    return store;
  }

  private constructor(folder: string) {
    this.#objects = join(folder, 'objects');
    this.#temporary = join(folder, 'tmp');
    this.#folders = new DurableFolders(dirname(folder));
  }

  async put(key: string, bytes: Uint8Array, signal?: AbortSignal): Promise<void> {
    const path = this.#pathOf(key);
    const temporary = join(this.#temporary, randomUUID());
    await withStoreErrors(async () => {
      try {
        await writeDurably(temporary, bytes, signal);
        await this.#folders.make(dirname(path));
        signal?.throwIfAborted();
        await rename(temporary, path);
        await syncFolder(dirname(path));
      } catch (error) {
        this.#folders.forget();
        await Promise.all([removeIfThere(temporary), removeIfThere(path)]);
        throw error;
      }
    }, signal);
  }

  async open(key: string, range?: ByteRange, signal?: AbortSignal): Promise<MediaObject | null> {
    const path = this.#pathOf(key);
    if (range !== undefined) requireRange(range);
    const file = await withStoreErrors(() => openIfThere(path), signal);
    if (file === null) return null;
    try {
      const { size } = await withStoreErrors(() => file.stat(), signal);
      return { size, body: streamFile(file, boundsOf(range, size), signal) };
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  async remove(keys: readonly string[], signal?: AbortSignal): Promise<void> {
    const paths = keys.map((key) => this.#pathOf(key));
    for (const path of paths) {
      await withStoreErrors(() => removeIfThere(path), signal);
    }
  }

  async *list(prefix: string, signal?: AbortSignal): AsyncIterable<MediaEntry> {
    for await (const entry of listFiles(this.#objects, prefix, signal)) {
      if (isMediaKey(entry.key)) yield entry;
    }
  }

  async freeBytes(signal?: AbortSignal): Promise<number> {
    const { bavail, bsize } = await withStoreErrors(() => statfs(this.#objects), signal);
    return bavail * bsize;
  }

  /** A disk that is gone, full or may only be read takes nothing, nor does a quota that is used up. */
  async requireAnswer(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    // One for all who ask, who would take each other's room.
    this.#trial ??= this.#tryOut().finally(() => (this.#trial = null));
    const trial = this.#trial;
    await withStoreErrors(() => trial, signal);
  }

  /** Begins a put, which nothing forces to disk, so that it costs next to nothing. */
  async #tryOut(): Promise<void> {
    const temporary = join(this.#temporary, randomUUID());
    try {
      await writeFile(temporary, TRIAL, { flag: 'wx', mode: 0o600 });
    } finally {
      await removeIfThere(temporary);
    }
  }

  #pathOf(key: string): string {
    if (!isMediaKey(key)) throw new RangeError('That is not the key of a media object.');
    return join(this.#objects, key);
  }
}

async function writeDurably(
  path: string,
  bytes: Uint8Array,
  signal: AbortSignal | undefined,
): Promise<void> {
  await using file = await open(path, 'wx', 0o600);
  await file.writeFile(bytes, { signal });
  signal?.throwIfAborted();
  await file.sync();
}

async function openIfThere(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, 'r');
  } catch (error) {
    if (isAbsence(error)) return null;
    throw error;
  }
}

async function removeIfThere(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    if (!isAbsence(error)) throw error;
  }
}
