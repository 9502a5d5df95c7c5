import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from '@sightline/platform/data-folder/sync-folder';
import { isPresence } from './store-error.ts';

/**
 * Creates folders below an existing root and syncs their entries to disk, once per folder. An existing folder is synced,
 * too, because the process that created it may have crashed before the entry was on disk.
 */
export class DurableFolders {
  readonly #root: string;
  readonly #made = new Map<string, Promise<void>>();

  constructor(root: string) {
    this.#root = root;
  }

  /** Creates a folder below the root, and its parents. */
  make(folder: string): Promise<void> {
    if (folder === this.#root) return Promise.resolve();
    const known = this.#made.get(folder);
    if (known !== undefined) return known;
    const made = this.#make(folder);
    this.#made.set(folder, made);
    made.catch(() => this.forget());
    return made;
  }

  /** Lets each folder be created again at its next use. Called after a failed write, because a folder may be missing. */
  forget(): void {
    this.#made.clear();
  }

  async #make(folder: string): Promise<void> {
    const parent = dirname(folder);
    await this.make(parent);
    await makeUnlessThere(folder);
    await syncFolder(parent);
  }
}

/** Does not use `recursive`, which reports a read-only file system as a missing parent. */
async function makeUnlessThere(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    if (!isPresence(error)) throw error;
  }
}
