import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isPresence } from './store-error.ts';

/**
 * Makes folders whose entries are on disk up to a root that is there already. Each one is made and
 * forced to disk once in the life of this object: one that exists may still be new, and its maker
 * may have crashed before it was on disk.
 */
export class DurableFolders {
  readonly #root: string;
  readonly #made = new Map<string, Promise<void>>();

  constructor(root: string) {
    this.#root = root;
  }

  /** Makes a folder below the root, and those between them. */
  make(folder: string): Promise<void> {
    if (folder === this.#root) return Promise.resolve();
    const known = this.#made.get(folder);
    if (known !== undefined) return known;
    const made = this.#make(folder);
    this.#made.set(folder, made);
    made.catch(() => this.forget());
    return made;
  }

  /** Makes every folder again when it is asked for: something failed, perhaps as one is gone. */
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

/** Not `recursive`, which mistakes a read-only file system for a missing parent. */
async function makeUnlessThere(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    if (!isPresence(error)) throw error;
  }
}

/** Forces the entries of a folder to disk. */
export async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder, 'r');
  await handle.sync();
}
