import { randomUUID } from 'node:crypto';
import { rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type LocalFile, piecesOf } from '@sightline/core/media/local-file';
import type { MediaObject } from '@sightline/core/media/media-store';
import {
  packFileKey,
  packManifestKey,
  type PackStore,
  readManifestOf,
  revisionOfKey,
} from '@sightline/core/models/pack-store';
import { DiskReserve } from './disk-reserve.ts';
import { type FileContent, openIfThere, removeIfThere, writeDurably } from './durable-file.ts';
import { DurableFolders, syncFolder } from './durable-folders.ts';
import { fileSystemTime } from './file-system-time.ts';
import { listFiles } from './list-files.ts';
import { withStoreErrors } from './store-error.ts';
import { streamFile } from './stream-file.ts';

/** Nothing that is being written stays unchanged for so long. */
const LEFTOVER_AGE_MS = 60 * 60 * 1000;

/** Of a file that is copied, at a time. */
const COPY_BYTES = 1024 * 1024;

export interface FilePackOptions {
  /** Of this store alone. */
  readonly folder: string;
  /** Bytes that stay free on its disk. */
  readonly reserveBytes?: number;
}

/**
 * Stores packs as files below one folder:
 *
 * - `files/<SHA-256>`: files of packs
 * - `manifests/<revision>.json`: the packs that are whole
 * - `tmp/`: files that are being written; `open` removes what a crash has left there an hour ago
 */
export class FilePackStore implements PackStore {
  readonly #folder: string;
  readonly #temporary: string;
  readonly #folders: DurableFolders;
  readonly #reserve: DiskReserve;

  /**
   * Opens a folder, which may be open already: two parts of a process may use it. It is created if it is
   * missing; its parent has to exist.
   *
   * @throws StoreUnavailable if the folder cannot be used
   */
  static async open(options: FilePackOptions): Promise<FilePackStore> {
    const store = new FilePackStore(options);
    await withStoreErrors(() => store.#folders.make(store.#temporary));
    await store.#removeLeftovers();
    return store;
  }

  private constructor({ folder, reserveBytes = 0 }: FilePackOptions) {
    this.#folder = folder;
    this.#temporary = join(folder, 'tmp');
    this.#folders = new DurableFolders(dirname(folder));
    this.#reserve = new DiskReserve({
      holds: 'models',
      folder: this.#temporary,
      bytes: reserveBytes,
    });
  }

  async hasFile(sha256: string, signal?: AbortSignal): Promise<boolean> {
    const found = await this.#open(packFileKey(sha256), signal);
    await found?.body.cancel();
    return found !== null;
  }

  /** Also throws StoreUnavailable if the disk would not have the reserve left. */
  async putFile(sha256: string, file: LocalFile, signal?: AbortSignal): Promise<void> {
    const key = packFileKey(sha256);
    await this.#reserve.require(signal, file.size);
    await this.#put(key, piecesOf(file, COPY_BYTES), signal);
  }

  async openFile(sha256: string, signal?: AbortSignal): Promise<MediaObject | null> {
    return this.#open(packFileKey(sha256), signal);
  }

  async putManifest(revision: string, manifest: string, signal?: AbortSignal): Promise<void> {
    await this.#put(packManifestKey(revision), Buffer.from(manifest), signal);
  }

  async readManifest(revision: string, signal?: AbortSignal): Promise<string | null> {
    return readManifestOf(await this.#open(packManifestKey(revision), signal));
  }

  async *list(signal?: AbortSignal): AsyncIterable<string> {
    for await (const { key } of listFiles(this.#folder, 'manifests/', signal)) {
      const revision = revisionOfKey(key);
      if (revision !== null) yield revision;
    }
  }

  async #removeLeftovers(): Promise<void> {
    const now = await withStoreErrors(() => fileSystemTime(this.#temporary));
    for await (const { key, modifiedMs } of listFiles(this.#temporary, '')) {
      if (now - modifiedMs < LEFTOVER_AGE_MS) continue;
      await withStoreErrors(() => removeIfThere(join(this.#temporary, key)));
    }
  }

  async #open(key: string, signal?: AbortSignal): Promise<MediaObject | null> {
    const file = await withStoreErrors(() => openIfThere(join(this.#folder, key)), signal);
    if (file === null) return null;
    try {
      const { size } = await withStoreErrors(() => file.stat(), signal);
      return { size, body: streamFile(file, { start: 0, end: size }, signal) };
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  async #put(key: string, content: FileContent, signal?: AbortSignal): Promise<void> {
    const path = join(this.#folder, key);
    const temporary = join(this.#temporary, randomUUID());
    await withStoreErrors(async () => {
      try {
        await writeDurably(temporary, content, signal);
        await this.#folders.make(dirname(path));
        signal?.throwIfAborted();
        await rename(temporary, path);
        await syncFolder(dirname(path));
      } catch (error) {
        this.#folders.forget();
        await removeIfThere(temporary);
        throw error;
      }
    }, signal);
  }
}
