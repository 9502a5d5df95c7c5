import { tmpdir } from 'node:os';
import { type Admission, FairShares, type Holder } from '../resilience/fair-shares.ts';
import { freeBytesOf } from '../data-folder/free-bytes.ts';
import { HttpError } from './http-errors.ts';
import { SpoolFile } from './spool-file.ts';
import { spoolFull } from './spool-full.ts';

/** The free disk space is looked up again after this number of written bytes, or after this time in ms. */
const LOOKUP_COUNTS_BYTES = 16 * 1024 ** 2;
const LOOKUP_COUNTS_MS = 250;

/**
 * The bytes to keep free on the disk of a machine without a data folder, because logs and the system also need disk
 * space.
 */
export const SPOOL_RESERVE_BYTES = 256_000_000;

export interface SpoolOptions {
  /** The maximum size of all files together, in bytes. */
  readonly maxBytes: number;
  /** The number of bytes to keep free on the disk. */
  readonly reserveBytes: number;
  /** The size of the folder, which counts like a disk of that size; null or absent if only the disk limits it. */
  readonly folderBytes?: number | null;
  /** The folder for the files. Default: the temporary folder of the system. */
  readonly folder?: string;
  readonly lookUp?: (folder: string) => Promise<number>;
}

/**
 * The temporary files of batches and archives. Each environment and each API key may use a limited share of
 * `maxBytes`, or of the free disk space if that is smaller.
 */
export class Spool {
  readonly #options: SpoolOptions;
  readonly #folder: string;
  readonly #shares: FairShares;
  /** The bytes in the folder of this spool and of those that were created from it. */
  readonly #written: { bytes: number };
  #lookUpAt = -Infinity;
  #untilLookUp = 0;
  /** The lookup in progress. */
  #lookingUp: Promise<void> | null = null;

  constructor(options: SpoolOptions, written = { bytes: 0 }) {
    this.#options = options;
    this.#written = written;
    this.#folder = options.folder ?? tmpdir();
    this.#shares = new FairShares(options.maxBytes);
  }

  /**
   * Checks whether the holder could append this number of bytes now. Used if the size is known in advance.
   *
   * @throws HttpError overloaded if the holder's share would be exceeded, store_unavailable if the spool or its disk
   *   is full
   */
  async requireRoom(holder: Holder, bytes: number): Promise<void> {
    await this.#measureDisk(Infinity);
    requireAdmitted(this.#shares.admitsAll(holder, bytes));
  }

  /**
   * Opens a file. Appends fail with `overloaded` if the holder has used its share, and with `store_unavailable` if
   * the spool or its disk is full.
   *
   * @throws HttpError store_unavailable
   */
  async open(holder: Holder): Promise<SpoolFile> {
    let own = 0;
    return SpoolFile.open(this.#folder, {
      reserve: async (bytes) => {
        await this.#take(holder, bytes);
        own += bytes;
        this.#written.bytes += bytes;
      },
      release: () => {
        this.#shares.giveBack(holder, own);
        this.#written.bytes -= own;
      },
    });
  }

  /** Creates a spool for archives, which only the free space limits. The limit for batches does not apply. */
  forArchives(): Spool {
    return new Spool({ ...this.#options, maxBytes: Infinity }, this.#written);
  }

  async #take(holder: Holder, bytes: number): Promise<void> {
    await this.#measureDisk(bytes);
    requireAdmitted(this.#shares.take(holder, bytes));
  }

  /** Callers that come during a lookup wait for its end, because the last capacity may be outdated. */
  async #measureDisk(bytes: number): Promise<void> {
    this.#untilLookUp -= bytes;
    if (performance.now() >= this.#lookUpAt || this.#untilLookUp <= 0) {
      this.#lookingUp ??= this.#lookUp().finally(() => {
        this.#lookingUp = null;
      });
    }
    await this.#lookingUp;
  }

  async #lookUp(): Promise<void> {
    const { maxBytes, reserveBytes, folderBytes, lookUp = freeBytesOf } = this.#options;
    try {
      const free = await lookUp(this.#folder);
      // Files of the other spools grow during the lookup, so the bytes in the folder are read after it.
      const ofFolder = (folderBytes ?? Infinity) - this.#written.bytes;
      const usable = Math.max(0, Math.min(free, ofFolder) - reserveBytes);
      this.#shares.capacity = Math.min(maxBytes, this.#shares.held + usable);
    } catch (cause) {
      throw spoolFull(cause);
    }
    this.#lookUpAt = performance.now() + LOOKUP_COUNTS_MS;
    this.#untilLookUp = LOOKUP_COUNTS_BYTES;
  }
}

/** @throws HttpError overloaded, store_unavailable */
function requireAdmitted(admission: Admission): void {
  if (admission === 'over_share') throw tooManyBatches();
  if (admission === 'full') throw spoolFull();
}

function tooManyBatches(): HttpError {
  const detail = 'Too many of your batches are in progress; try again after one has ended.';
  return new HttpError('overloaded', detail, { headers: { 'Retry-After': '1' } });
}
