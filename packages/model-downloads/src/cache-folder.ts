import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncFolder } from '@sightline/platform/data-folder/sync-folder';
import { onCache } from './cache-unusable.ts';

/** Age in ms from which unchanged temporary files count as leftovers: longer than any download takes. */
const LEFTOVER_AGE_MS = 60 * 60 * 1000;

/**
 * Prefix of partial files: an interrupted download keeps its bytes for a day, so that the next
 * one resumes.
 */
const PARTIAL = 'partial-';
const PARTIAL_AGE_MS = 24 * LEFTOVER_AGE_MS;

/** Error codes of a rename whose target exists: a rename replaces files, but of folders only empty ones. */
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

  /** The path of an entry, whether it exists or not. */
  pathOf(...names: string[]): string {
    return join(this.path, ...names);
  }

  /**
   * A unique path on the same file system, where nothing exists yet.
   *
   * @throws CacheUnusable
   */
  async temporaryPath(): Promise<string> {
    return join(await this.#temporaryFolder(), randomUUID());
  }

  /**
   * The path of a file that is received in parts, of which a previous process may have left some.
   *
   * @param id of the file: letters, digits and dashes
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
   * @param isGood whether an existing folder at the path may stay; otherwise it is replaced
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

  /** Another process may put the same entry at the same moment. */
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

/** Another process may delete it at the same moment. */
async function removeLeftover(path: string, ageMs: number): Promise<void> {
  const stats = await stat(path).catch(() => null);
  if (stats === null || Date.now() - stats.mtimeMs < ageMs) return;
  await rm(path, { recursive: true, force: true }).catch(() => undefined);
}
