import { constants } from 'node:fs';
import { access, chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { StartError } from '../lifecycle/start-error.ts';
import { FolderLock } from './folder-lock.ts';
import { type FolderVersion, readVersion, VERSION_FILE, writeVersion } from './folder-version.ts';

export const LOCK_FILE = 'lock';
export const HOLDER_FILE = 'holder';

/**
 * Names that a folder without a version file may contain: the files of an interrupted start, and the `lost+found` of
 * a new file system.
 */
const NOT_FOREIGN = new Set([LOCK_FILE, HOLDER_FILE, `${VERSION_FILE}.new`, 'lost+found']);

/** The folder with all data of an installation. A lock ensures that only one process uses the folder at a time. */
export class DataFolder implements Disposable {
  readonly path: string;
  /** Whether another process holds the lock, so that this process must only read; see `attach`. */
  readonly shared: boolean;
  readonly #lock: FolderLock | undefined;

  private constructor(path: string, lock: FolderLock | undefined) {
    this.path = path;
    this.shared = lock === undefined;
    this.#lock = lock;
  }

  get postgres(): string {
    return join(this.path, 'postgres');
  }

  get media(): string {
    return join(this.path, 'media');
  }

  get models(): string {
    return join(this.path, 'models');
  }

  /** The path of the file with the key that encrypts secrets. */
  get secretKey(): string {
    return join(this.path, 'secret-key');
  }

  /** The path of the file with the first API key. */
  get apiKey(): string {
    return join(this.path, 'api-key');
  }

  /** The path of the file with the password that was made for the first administrator. */
  get adminPassword(): string {
    return join(this.path, 'admin-password');
  }

  /**
   * Locks a folder for this process until the disposal or the end of the process. A missing folder is created and is
   * readable only by its owner.
   *
   * @throws StartError if another process uses the folder, if the folder is not a data folder, belongs to an
   *   incompatible version, or cannot be written
   */
  static async open(path: string, version: FolderVersion): Promise<DataFolder> {
    const folder = await DataFolder.attach(path, version);
    if (!folder.shared) return folder;
    const pid = await holderOf(folder.path);
    throw new StartError(
      `The data folder ${folder.path} is in use by ${pid === undefined ? 'another process' : `process ${pid}`}: stop that process first, or set SIGHTLINE_DATA to another folder.`,
    );
  }

  /**
   * Locks a folder like `open`. If another process holds the lock, returns a shared folder instead of failing.
   *
   * @throws StartError in the same cases as `open`, except for a folder in use
   */
  static async attach(path: string, version: FolderVersion): Promise<DataFolder> {
    const folder = resolve(path);
    try {
      await makeFolder(folder);
      await refuseForeign(folder);
      await requireAccess(folder);
      const lock = FolderLock.take(join(folder, LOCK_FILE));
      try {
        const previous = await readVersion(folder, version);
        if (lock !== undefined) await initialize(folder, version, previous);
        return new DataFolder(folder, lock);
      } catch (error) {
        lock?.[Symbol.dispose]();
        throw error;
      }
    } catch (error) {
      if (error instanceof StartError || !isRefusal(error)) throw error;
      throw new StartError(
        `The data folder ${folder} cannot be used (${error.message}): let this account write there, or set SIGHTLINE_DATA to another folder.`,
        { cause: error },
      );
    }
  }

  [Symbol.dispose](): void {
    this.#lock?.[Symbol.dispose]();
  }
}

/** Creates the folder if it is missing. Other accounts cannot read the folder. */
export async function makeFolder(folder: string): Promise<void> {
  const made = await mkdir(folder, { recursive: true, mode: 0o700 });
  // For root, the database runs under another account, which has to traverse this folder. The folders inside have
  // their own permissions.
  if (made !== undefined && process.getuid?.() === 0) await chmod(folder, 0o711);
}

/** Refuses a folder with files of another program, so that a wrong path does not mix the files of two programs. */
async function refuseForeign(folder: string): Promise<void> {
  const names = await readdir(folder);
  if (names.includes(VERSION_FILE)) return;
  const foreign = names.filter((name) => !NOT_FOREIGN.has(name));
  if (foreign.length === 0) return;
  throw new StartError(
    `${folder} is not a data folder of Sightline (it contains ${foreign.slice(0, 3).join(', ')}, but no ${VERSION_FILE}): set SIGHTLINE_DATA to an empty or a new folder.`,
  );
}

/** Checks the access to the folder and its lock file, because SQLite's own error message would name no reason. */
async function requireAccess(folder: string): Promise<void> {
  await access(folder, constants.W_OK | constants.X_OK);
  if ((await readdir(folder)).includes(LOCK_FILE)) {
    await access(join(folder, LOCK_FILE), constants.W_OK);
  }
}

async function initialize(
  folder: string,
  version: FolderVersion,
  previous: FolderVersion | undefined,
): Promise<void> {
  // The mode is changed by path. Opening and closing the file would release the lock.
  await chmod(join(folder, LOCK_FILE), 0o600);
  await writeFile(join(folder, HOLDER_FILE), `${process.pid}\n`, { mode: 0o600 });
  // The version file is written before any other data, because without it the next start would refuse the folder.
  if (previous?.product !== version.product) await writeVersion(folder, version);
  await mkdir(join(folder, 'media'), { recursive: true, mode: 0o700 });
}

/** The pid that the process with the lock has recorded in the folder. Used for messages and to stop that process. */
export async function holderOf(folder: string): Promise<number | undefined> {
  const text = await readFile(join(folder, HOLDER_FILE), 'utf8').catch(() => '');
  return /^\d+$/.test(text.trim()) ? Number(text) : undefined;
}

/** Whether the operating system or SQLite reported the error, as opposed to a bug in this code. */
function isRefusal(error: unknown): error is Error {
  return typeof error === 'object' && error !== null && ('syscall' in error || 'errcode' in error);
}
