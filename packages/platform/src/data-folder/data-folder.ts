import { constants } from 'node:fs';
import { access, chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { StartError } from '../lifecycle/start-error.ts';
import { FolderLock } from './folder-lock.ts';
import { type FolderVersion, readVersion, VERSION_FILE, writeVersion } from './folder-version.ts';

export const LOCK_FILE = 'lock';
export const HOLDER_FILE = 'holder';

/** Files that a start creates before the version file, and the folder that a new file system contains. */
const NOT_FOREIGN = new Set([LOCK_FILE, HOLDER_FILE, `${VERSION_FILE}.new`, 'lost+found']);

/** The folder of an installation, with all its data; one process uses it at a time. */
export class DataFolder implements Disposable {
  /** The absolute path. */
  readonly path: string;
  /** Whether another process holds the folder, and this one only reads it; see `attach`. */
  readonly shared: boolean;
  readonly #lock: FolderLock | undefined;

  private constructor(path: string, lock: FolderLock | undefined) {
    this.path = path;
    this.shared = lock === undefined;
    this.#lock = lock;
  }

  /** The folder of the database. */
  get postgres(): string {
    return join(this.path, 'postgres');
  }

  /** The folder of pictures. */
  get media(): string {
    return join(this.path, 'media');
  }

  /** The folder of downloaded model packs. */
  get models(): string {
    return join(this.path, 'models');
  }

  /** The file of the key that encrypts secrets. */
  get secretKey(): string {
    return join(this.path, 'secret-key');
  }

  /** The file of the key for local use. */
  get apiKey(): string {
    return join(this.path, 'api-key');
  }

  /**
   * Takes a folder for this process alone, until it is disposed of or the process ends. A missing folder is created,
   * readable only by its owner.
   *
   * @throws StartError if another process uses it, if it is not a data folder or another version's, or if it cannot
   *   be written
   */
  static async open(path: string, version: FolderVersion): Promise<DataFolder> {
    const folder = await DataFolder.attach(path, version);
    if (!folder.shared) return folder;
    const pid = await holderOf(folder.path);
    throw new StartError(
      `The data folder ${folder.path} is in use by ${pid === undefined ? 'another process' : `process ${pid}`}: stop that first, or set SIGHTLINE_DATA to another folder.`,
    );
  }

  /**
   * Takes a folder like `open`, but uses it beside another process if one holds it.
   *
   * @throws StartError as `open` does, except for a folder in use
   */
  static async attach(path: string, version: FolderVersion): Promise<DataFolder> {
    const folder = resolve(path);
    try {
      await makeFolder(folder);
      await refuseForeign(folder);
      await requireAccess(folder);
      const lock = FolderLock.take(join(folder, LOCK_FILE));
      try {
        const former = await readVersion(folder, version);
        if (lock !== undefined) await settle(folder, version, former);
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

/** Creates the folder if it is missing, without access for other accounts. */
export async function makeFolder(folder: string): Promise<void> {
  const made = await mkdir(folder, { recursive: true, mode: 0o700 });
  // The account that runs the database for root has to traverse the folder; the folders inside are closed.
  if (made !== undefined && process.getuid?.() === 0) await chmod(folder, 0o711);
}

/** Refuses a folder with foreign files: a wrong path must not mix the files of two programs. */
async function refuseForeign(folder: string): Promise<void> {
  const names = await readdir(folder);
  if (names.includes(VERSION_FILE)) return;
  const foreign = names.filter((name) => !NOT_FOREIGN.has(name));
  if (foreign.length === 0) return;
  throw new StartError(
    `${folder} is not a data folder of Sightline (it holds ${foreign.slice(0, 3).join(', ')}, but no ${VERSION_FILE}): set SIGHTLINE_DATA to an empty folder or a new one.`,
  );
}

/** Requires access to the folder, because SQLite's message names no reason. */
async function requireAccess(folder: string): Promise<void> {
  await access(folder, constants.W_OK | constants.X_OK);
  if ((await readdir(folder)).includes(LOCK_FILE)) {
    await access(join(folder, LOCK_FILE), constants.W_OK);
  }
}

async function settle(
  folder: string,
  version: FolderVersion,
  former: FolderVersion | undefined,
): Promise<void> {
  // Uses the path: closing a handle of the file would release the lock.
  await chmod(join(folder, LOCK_FILE), 0o600);
  await writeFile(join(folder, HOLDER_FILE), `${process.pid}\n`, { mode: 0o600 });
  // Without this file, other files in the folder would count as those of another program.
  if (former?.product !== version.product) await writeVersion(folder, version);
  await mkdir(join(folder, 'media'), { recursive: true, mode: 0o700 });
}

/** The pid of the process that holds the folder, by its own record; for messages and a request to stop. */
export async function holderOf(folder: string): Promise<number | undefined> {
  const text = await readFile(join(folder, HOLDER_FILE), 'utf8').catch(() => '');
  return /^\d+$/.test(text.trim()) ? Number(text) : undefined;
}

/** Whether the system or SQLite refused, rather than the code being wrong. */
function isRefusal(error: unknown): error is Error {
  return typeof error === 'object' && error !== null && ('syscall' in error || 'errcode' in error);
}
