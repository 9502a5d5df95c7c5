import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncFolder } from '@sightline/platform/data-folder/sync-folder';
import { onCache } from './cache-unusable.ts';

/** The age in ms from which temporary files are deleted as leftovers. No download takes this long. */
const LEFTOVER_AGE_MS = 60 * 60 * 1000;

/** Prefix of partial files. An interrupted download keeps its bytes for a day, so that the next download resumes it. */
const PARTIAL = 'partial-';
const PARTIAL_AGE_MS = 24 * LEFTOVER_AGE_MS;

/**
 * The error codes of a rename whose target exists and cannot be replaced. A rename replaces a file or an empty
 * folder, but not a folder with content.
 */
const TARGET_EXISTS = new Set(['ENOTEMPTY', 'EEXIST', 'EISDIR', 'ENOTDIR']);
const MAX_ATTEMPTS = 5;

/**
 * A cache folder that several processes may use at the same time. Entries appear atomically, by a
 * rename from `tmp/`. Files that a crash leaves in `tmp/` are deleted after an hour, partial files
 * after a day.
 */
export class CacheFolder {
  readonly path: string;
  #temporary: Promise<string> | null = null;

  constructor(path: string) {
    this.path = path;
  }

  /** The path of an entry, which need not exist. */
  pathOf(...names: string[]): string {
    return join(this.path, ...names);
  }

  /** A new unique path on the file system of the cache. @throws CacheUnusable */
  async temporaryPath(): Promise<string> {
    return join(await this.#temporaryFolder(), randomUUID());
  }

  /**
   * The path of a file that is received in parts. A previous process may have left the first bytes there.
   *
   * @param id identifies the file; letters, digits and dashes
   * @throws CacheUnusable
   */
  async partialPath(id: string): Promise<string> {
    return join(await this.#temporaryFolder(), `${PARTIAL}${id}`);
  }

  #temporaryFolder(): Promise<string> {
    this.#temporary ??= onCache(this.path, () => this.#prepareTemporary());
    return this.#temporary;
  }

  /**
   * Moves a finished file or folder from its temporary path to its final path. Files must already
   * be synced to disk.
   *
   * @param isGood whether an existing folder at the path may stay; if not, the new folder replaces the old one
   * @throws CacheUnusable
   */
  async put(
    temporary: string,
    path: string,
    isGood: () => Promise<boolean> = () => Promise.resolve(false),
  ): Promise<void> {
    await onCache(this.path, async () => {
      await mkdir(dirname(path), { recursive: true });
      await this.#replace(temporary, path, isGood);
      await syncFolder(dirname(path));
    });
  }

  /** Retries, because another process may put the same entry at the same time. */
  async #replace(temporary: string, path: string, isGood: () => Promise<boolean>): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        await rename(temporary, path);
        return;
      } catch (error) {
        const { code = '' } = error as NodeJS.ErrnoException;
        if (!TARGET_EXISTS.has(code) || attempt === MAX_ATTEMPTS) throw error;
      }
      if (await isGood()) return;
      const aside = await this.temporaryPath();
      await rename(path, aside).catch(() => undefined);
      await rm(aside, { recursive: true, force: true });
    }
  }

  async #prepareTemporary(): Promise<string> {
    const folder = this.pathOf('tmp');
    await mkdir(folder, { recursive: true });
    for (const name of await readdir(folder)) {
      const ageMs = name.startsWith(PARTIAL) ? PARTIAL_AGE_MS : LEFTOVER_AGE_MS;
      await removeLeftover(join(folder, name), ageMs);
    }
    return folder;
  }
}

/** Ignores errors, because another process may delete the file at the same time. */
async function removeLeftover(path: string, ageMs: number): Promise<void> {
  const stats = await stat(path).catch(() => null);
  if (stats === null || Date.now() - stats.mtimeMs < ageMs) return;
  await rm(path, { recursive: true, force: true }).catch(() => undefined);
}
