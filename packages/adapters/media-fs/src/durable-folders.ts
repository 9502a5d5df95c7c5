import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';

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
    made.catch(() => this.forget(folder));
    return made;
  }

  /** The next time, the folder is made again. */
  forget(folder: string): void {
    this.#made.delete(folder);
  }

  async #make(folder: string): Promise<void> {
    const parent = dirname(folder);
    await this.make(parent);
    // Recursive: for a folder that exists it is no error.
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await syncFolder(parent);
  }
}

/** Forces the entries of a folder to disk. */
export async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder, 'r');
  await handle.sync();
}
