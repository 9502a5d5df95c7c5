import { statfs } from 'node:fs/promises';
import { StoreUnavailable } from '@sightline/core/store/store-errors';

/** Time for which a lookup is valid, in ms. */
export const LOOKUP_COUNTS_MS = 1_000;

export interface DiskReserveOptions {
  /** The content of the disk, for messages: `images`. */
  readonly holds: string;
  /** A folder on the disk. */
  readonly folder: string;
  /** Bytes that stay free. */
  readonly bytes: number;
  /** Free bytes on the disk of a folder. */
  readonly lookUp?: (folder: string) => Promise<number>;
  /** A monotonic clock, in ms. */
  readonly now?: () => number;
}

/** Keeps bytes of a disk free for work that has to continue: removal, curation, the database's log. */
export class DiskReserve {
  readonly #options: DiskReserveOptions;
  readonly #lookUp: (folder: string) => Promise<number>;
  readonly #now: () => number;
  #lookup: Promise<number> | null = null;
  #countsUntil = -Infinity;

  constructor(options: DiskReserveOptions) {
    this.#options = options;
    this.#lookUp = options.lookUp ?? freeBytesOf;
    this.#now = options.now ?? (() => performance.now());
  }

  /**
   * Compares the free bytes of the last second with the reserve.
   *
   * @param more number of bytes that the caller is about to write
   * @throws StoreUnavailable with both figures if fewer bytes are free; the signal's reason on abort
   */
  async require(signal?: AbortSignal, more = 0): Promise<void> {
    signal?.throwIfAborted();
    const { holds, bytes } = this.#options;
    const free = await this.#freeBytes();
    signal?.throwIfAborted();
    if (free >= bytes + more) return;
    const figures = `${inWords(free)} are free, the reserve is ${inWords(bytes)}`;
    throw new StoreUnavailable(
      more === 0
        ? `The disk of the ${holds} is full up to its reserve: ${figures}.`
        : `The disk of the ${holds} has no room for ${inWords(more)}: ${figures}.`,
    );
  }

  #freeBytes(): Promise<number> {
    if (this.#lookup !== null && this.#now() < this.#countsUntil) return this.#lookup;
    // Callers share a lookup, because a lookup that hangs occupies a thread of the pool.
    this.#countsUntil = Infinity;
    this.#lookup = this.#readFree().finally(() => {
      this.#countsUntil = this.#now() + LOOKUP_COUNTS_MS;
    });
    return this.#lookup;
  }

  async #readFree(): Promise<number> {
    const { holds, folder } = this.#options;
    try {
      return await this.#lookUp(folder);
    } catch (cause) {
      throw new StoreUnavailable(`The disk of the ${holds} cannot be read.`, {}, { cause });
    }
  }
}

/** Bytes that this account may still write on the disk of a folder. */
export async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

function inWords(bytes: number): string {
  return `${bytes.toLocaleString('en-US')} bytes`;
}
