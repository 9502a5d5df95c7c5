import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from '@sightline/platform/data-folder/sync-folder';
import { isPresence } from './store-error.ts';

/**
 * Creates folders below an existing root and forces their entries to disk. Each folder is created and
 * synced once in the life of this object, even if it exists: the process that created it may have
 * crashed before the entry was on disk.
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

  /** Creates every folder again on its next use, because a write failed: a folder may be gone. */
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

/** Not `recursive`, which reports a read-only file system as a missing parent. */
async function makeUnlessThere(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    if (!isPresence(error)) throw error;
  }
}
