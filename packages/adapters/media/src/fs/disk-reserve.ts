import { StoreUnavailable } from '@sightline/core/store/store-errors';
import { freeBytesOf } from '@sightline/platform/data-folder/free-bytes';

/** How long a lookup of the free bytes is cached, in ms. */
export const LOOKUP_COUNTS_MS = 1_000;

export interface DiskReserveOptions {
  readonly holds: string;
  readonly folder: string;
  /** The number of bytes that must stay free. */
  readonly bytes: number;
  /** Returns the free bytes on the disk of a folder. */
  readonly lookUp?: (folder: string) => Promise<number>;
  /** A monotonic clock, in ms. */
  readonly now?: () => number;
}

/** Keeps bytes of a disk free for work that must continue on a full disk: deleting files, and the database's log. */
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
   * Requires that the disk has free bytes beyond the reserve. The number of free bytes may be a second old.
   *
   * @param more the number of bytes that the caller is about to write
   * @throws StoreUnavailable with the free bytes and the reserve; the signal's reason on abort
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
    // Callers share a lookup of the free bytes, because each lookup that hangs blocks a thread of Node's pool.
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
      throw new StoreUnavailable(
        `The free space on the disk of the ${holds} cannot be read.`,
        {},
        { cause },
      );
    }
  }
}

function inWords(bytes: number): string {
  return `${bytes.toLocaleString('en-US')} bytes`;
}
