import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { onCache } from './cache-unusable.ts';

/** Longer than anything takes that is made there: what has not changed since is left over. */
const LEFT_OVER_MS = 60 * 60 * 1000;

/** A file is renamed over a file, but a folder over an empty one at most. */
const IN_THE_WAY = new Set(['ENOTEMPTY', 'EEXIST', 'EISDIR', 'ENOTDIR']);
const MAX_ATTEMPTS = 5;

/**
 * A folder of things that can be had again, which several processes may use at once. A thing appears
 * in it whole, by one rename from `tmp/`; what a crash leaves there goes after an hour.
 */
export class CacheFolder {
  readonly path: string;
  #temporary: Promise<string> | null = null;

  constructor(path: string) {
    this.path = path;
  }

  /** Where something lies, or is to lie. */
  pathOf(...names: string[]): string {
    return join(this.path, ...names);
  }

  /** A path of its own, on the same file system, where nothing is yet. @throws CacheUnusable */
  async temporaryPath(): Promise<string> {
    this.#temporary ??= onCache(this.path, () => this.#makeTemporary());
    return join(await this.#temporary, randomUUID());
  }

  /**
   * Moves what was made at a temporary path to its place. Files have to be on disk already.
   *
   * @param isGood whether what lies there meanwhile may stay, if it is a folder; else it goes
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

  /** Another process may put the same thing there at this moment. */
  async #replace(temporary: string, path: string, isGood: () => Promise<boolean>): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        await rename(temporary, path);
        return;
      } catch (error) {
        const { code = '' } = error as NodeJS.ErrnoException;
        if (!IN_THE_WAY.has(code) || attempt === MAX_ATTEMPTS) throw error;
      }
      if (await isGood()) return;
      const aside = await this.temporaryPath();
      await rename(path, aside).catch(() => undefined);
      await rm(aside, { recursive: true, force: true });
    }
  }

  async #makeTemporary(): Promise<string> {
    const folder = this.pathOf('tmp');
    await mkdir(folder, { recursive: true });
    for (const name of await readdir(folder)) await removeLeftOver(join(folder, name));
    return folder;
  }
}

/** Another process may be doing the same at this moment. */
async function removeLeftOver(path: string): Promise<void> {
  const stats = await stat(path).catch(() => null);
  if (stats === null || Date.now() - stats.mtimeMs < LEFT_OVER_MS) return;
  await rm(path, { recursive: true, force: true }).catch(() => undefined);
}

/** Forces the entries of a folder to disk. */
async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder, 'r');
  await handle.sync();
}
