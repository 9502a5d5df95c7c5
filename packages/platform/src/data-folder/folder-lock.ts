import { DatabaseSync } from 'node:sqlite';

const SQLITE_BUSY = 5;

/**
 * The lock of a folder, which at most one process holds. The lock is a kernel lock on a file. It is taken through
 * SQLite, because Node has no function for file locks. The kernel releases the lock when the process ends or crashes,
 * so a stale lock cannot exist. Unlike a file with a pid, the lock also works between containers that share a volume.
 * No other code of this process may open the file, because closing the file would release the lock.
 */
export class FolderLock implements Disposable {
  readonly #file: DatabaseSync;

  private constructor(file: DatabaseSync) {
    this.#file = file;
  }

  /**
   * @returns undefined if another process or another part of this process holds the lock
   * @throws the error of SQLite if the file cannot be created or locked
   */
  static take(path: string): FolderLock | undefined {
    const file = new DatabaseSync(path);
    try {
      // The journal is kept in memory, because otherwise SQLite would create a journal file that is never needed.
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
