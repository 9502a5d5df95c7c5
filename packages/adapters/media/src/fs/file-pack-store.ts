import { lstat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { LocalFile } from '@sightline/core/media/local-file';
import type { MediaObject } from '@sightline/core/media/media-store';
import {
  digestOfKey,
  type PackEntry,
  packFileKey,
  packKey,
  packManifestKey,
  type PackPart,
  type PackStore,
  readManifestOf,
} from '@sightline/core/models/pack-store';
import type { FileContent } from '@sightline/platform/data-folder/write-durably';
import { DiskReserve } from './disk-reserve.ts';
import { removeIfThere } from './existing-file.ts';
import { DurableFolders } from './durable-folders.ts';
import { fileSystemTime } from './file-system-time.ts';
import { ifThere, listFiles } from './list-files.ts';
import { openObject } from './open-object.ts';
import { copyOf, placeFile } from './place-file.ts';
import { withStoreErrors } from './store-error.ts';

/** The age in ms from which a temporary file is a leftover of a crash. */
const LEFTOVER_AGE_MS = 60 * 60 * 1000;

export interface FilePackOptions {
  /** A folder that only this store uses. */
  readonly folder: string;
  /** The number of bytes that must stay free on the disk of the folder. */
  readonly reserveBytes?: number;
}

/**
 * Stores model packs as files below one folder:
 *
 * - `files/<SHA-256>`: the files of packs.
 * - `manifests/<revision>.json`: one manifest for each complete pack.
 * - `tmp/`: files that are being written. `open` deletes those that are older than an hour.
 */
export class FilePackStore implements PackStore {
  readonly #folder: string;
  readonly #temporary: string;
  readonly #folders: DurableFolders;
  readonly #reserve: DiskReserve;

  /**
   * Opens a folder, or creates it in an existing parent. Several parts of a process may open the same folder.
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

  /** Also throws StoreUnavailable if the file would use space of the disk's reserve. */
  async putFile(sha256: string, file: LocalFile, signal?: AbortSignal): Promise<void> {
    const key = packFileKey(sha256);
    await this.#reserve.require(signal, file.size);
    await this.#put(key, copyOf(file), signal);
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
    for await (const { digest } of this.entries('manifests', signal)) yield digest;
  }

  async *entries(kind: PackPart, signal?: AbortSignal): AsyncIterable<PackEntry> {
    const now = await withStoreErrors(() => fileSystemTime(this.#temporary), signal);
    for await (const { key, modifiedMs } of listFiles(this.#folder, `${kind}/`, signal)) {
      const digest = digestOfKey(kind, key);
      if (digest !== null) yield { digest, ageMs: Math.max(0, now - modifiedMs) };
    }
  }

  async ageOf(kind: PackPart, digest: string, signal?: AbortSignal): Promise<number | null> {
    const path = join(this.#folder, packKey(kind, digest));
    const found = await ifThere(() => lstat(path), signal);
    if (found === null) return null;
    const now = await withStoreErrors(() => fileSystemTime(this.#temporary), signal);
    return Math.max(0, now - found.mtimeMs);
  }

  async remove(kind: PackPart, digest: string, signal?: AbortSignal): Promise<void> {
    const path = join(this.#folder, packKey(kind, digest));
    await withStoreErrors(() => removeIfThere(path), signal);
  }

  async #removeLeftovers(): Promise<void> {
    const now = await withStoreErrors(() => fileSystemTime(this.#temporary));
    for await (const { key, modifiedMs } of listFiles(this.#temporary, '')) {
      if (now - modifiedMs < LEFTOVER_AGE_MS) continue;
      await withStoreErrors(() => removeIfThere(join(this.#temporary, key)));
    }
  }

  async #open(key: string, signal?: AbortSignal): Promise<MediaObject | null> {
    return openObject(join(this.#folder, key), undefined, signal);
  }

  async #put(key: string, content: FileContent, signal?: AbortSignal): Promise<void> {
    const place = {
      path: join(this.#folder, key),
      temporary: this.#temporary,
      folders: this.#folders,
    };
    await withStoreErrors(() => placeFile(place, content, signal), signal);
  }
}
