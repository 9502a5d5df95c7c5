import { DatabaseSync } from 'node:sqlite';

/** SQLite's error code if another connection holds the lock. */
const SQLITE_BUSY = 5;

/**
 * The lock of a folder, held by at most one process. It is a kernel lock on a file, taken through SQLite because Node
 * has no call for it. The kernel releases it when its process ends, however that happens, so no lock is ever stale.
 * It also works between containers that share a volume, where a pid says nothing. No other code of this process may
 * open the file: closing it would release the lock.
 */
export class FolderLock implements Disposable {
  readonly #file: DatabaseSync;

  private constructor(file: DatabaseSync) {
    this.#file = file;
  }

  /**
   * @returns undefined if another process holds the lock, or another part of this one
   * @throws the error of SQLite if the file cannot be made or locked
   */
  static take(path: string): FolderLock | undefined {
    const file = new DatabaseSync(path);
    try {
      // Nothing is ever written, so a journal would be an empty file beside the lock.
      file.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
      return new FolderLock(file);
    } catch (error) {
      file.close();
      if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return undefined;
      throw error;
    }
  }

  [Symbol.dispose](): void {
    this.#file.close();
  }
}
