import { createHash, type Hash } from 'node:crypto';
import { type FileHandle, open, readFile, rm, writeFile } from 'node:fs/promises';
import { onCache } from '../cache-unusable.ts';

/** The facts about a file that its source sent with the first bytes. */
export interface SourceNote {
  readonly validator: string | null;
  readonly total: number | null;
}

interface PartialFileOptions {
  readonly path: string;
  /** The cache that contains the path, for error messages. */
  readonly cache: string;
}

/**
 * The first bytes of a download, which this process or a previous one received. A note in a second file identifies the
 * downloaded file. All methods throw CacheUnusable.
 */
export class PartialFile implements AsyncDisposable {
  readonly path: string;
  readonly #cache: string;
  readonly #handle: FileHandle;
  #hash: Hash;
  #size: number;
  #note: SourceNote | null;

  static open(options: PartialFileOptions): Promise<PartialFile> {
    return onCache(options.cache, async () => {
      await using opening = new AsyncDisposableStack();
      // The file is not truncated, because its bytes may be usable.
      const handle = opening.use(await open(options.path, 'a+', 0o600));
      const note = await readNote(notePath(options.path));
      if (note === null) await handle.truncate(0);
      const { size } = await handle.stat();
      const file = new PartialFile(options, { handle, note, size, hash: await hashOf(handle) });
      opening.move();
      return file;
    });
  }

  private constructor({ path, cache }: PartialFileOptions, state: PartialState) {
    this.path = path;
    this.#cache = cache;
    this.#handle = state.handle;
    this.#hash = state.hash;
    this.#size = state.size;
    this.#note = state.note;
  }

  get size(): number {
    return this.#size;
  }

  /** The note; null if there is none. Without a note there are no bytes either. */
  get note(): SourceNote | null {
    return this.#note;
  }

  /** Deletes all bytes. @param note the facts about the file that is received next */
  async restart(note: SourceNote): Promise<void> {
    await onCache(this.#cache, async () => {
      await this.#handle.truncate(0);
      await writeFile(notePath(this.path), JSON.stringify(note), { mode: 0o600 });
    });
    this.#note = note;
    this.#size = 0;
    this.#hash = createHash('sha256');
  }

  async append(chunk: Uint8Array): Promise<void> {
    await onCache(this.#cache, () => this.#handle.appendFile(chunk));
    this.#hash.update(chunk);
    this.#size += chunk.length;
  }

  /**
   * The SHA-256 (hex) of all bytes; null if the bytes on the disk differ from the received ones,
   * because another process writes to the same file.
   */
  async digest(): Promise<string | null> {
    const received = this.#hash.copy().digest('hex');
    const written = await onCache(this.#cache, () => hashOf(this.#handle));
    return written.digest('hex') === received ? received : null;
  }

  async remove(): Promise<void> {
    await onCache(this.#cache, async () => {
      await rm(this.path, { force: true });
      await rm(notePath(this.path), { force: true });
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handle.close();
  }
}

interface PartialState {
  readonly handle: FileHandle;
  readonly note: SourceNote | null;
  readonly size: number;
  readonly hash: Hash;
}

function notePath(path: string): string {
  return `${path}.json`;
}

/** Null if there is no note, or if a crash truncated it. */
async function readNote(path: string): Promise<SourceNote | null> {
  try {
    const note: unknown = JSON.parse(await readFile(path, 'utf8'));
    return isNote(note) ? note : null;
  } catch {
    return null;
  }
}

function isNote(note: unknown): note is SourceNote {
  if (typeof note !== 'object' || note === null) return false;
  const { validator, total } = note as Record<string, unknown>;
  return (
    (validator === null || typeof validator === 'string') &&
    (total === null || Number.isSafeInteger(total))
  );
}

async function hashOf(handle: FileHandle): Promise<Hash> {
  const hash = createHash('sha256');
  for await (const chunk of handle.createReadStream({ start: 0, autoClose: false })) {
    hash.update(chunk as Buffer);
  }
  return hash;
}
