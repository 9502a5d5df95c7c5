import { tmpdir } from 'node:os';
import { type Admission, FairShares, type Holder } from '../resilience/fair-shares.ts';
import { freeBytesOf } from '../resilience/free-bytes.ts';
import { HttpError } from './http-errors.ts';
import { SpoolFile } from './spool-file.ts';
import { spoolFull } from './spool-full.ts';

/** Bytes that may be written, and the time in ms, until the free bytes are looked up again. */
const LOOKUP_COUNTS_BYTES = 16 * 1024 ** 2;
const LOOKUP_COUNTS_MS = 250;

/** Reserve of a machine that stores no data, in bytes: logs and the system also write to its disk. */
export const SPOOL_RESERVE_BYTES = 256_000_000;

export interface SpoolOptions {
  /** Bytes of all files together. */
  readonly maxBytes: number;
  /** Bytes that stay free on the disk. */
  readonly reserveBytes: number;
  /** Default: the temporary folder of the system. */
  readonly folder?: string;
  /** Free bytes on the disk of a folder. */
  readonly lookUp?: (folder: string) => Promise<number>;
}

/**
 * The temporary files of batches and archives. Each environment and each key has a share of the limit, or of the free
 * bytes of the disk if they are fewer.
 */
export class Spool {
  readonly #options: SpoolOptions;
  readonly #folder: string;
  readonly #shares: FairShares;
  #lookUpAt = -Infinity;
  #untilLookUp = 0;

  constructor(options: SpoolOptions) {
    this.#options = options;
    this.#folder = options.folder ?? tmpdir();
    this.#shares = new FairShares(options.maxBytes);
  }

  /**
   * Makes sure that the holder could append this number of bytes now, for a caller that knows the size in advance.
   *
   * @throws HttpError overloaded beyond its share, store_unavailable if the spool or its disk is full
   */
  async requireRoom(holder: Holder, bytes: number): Promise<void> {
    await this.#measureDisk(Infinity);
    requireAdmitted(this.#shares.admitsAll(holder, bytes));
  }

  /**
   * Opens a file. Appends fail with `overloaded` when the holder has used its share, and with `store_unavailable` when
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
      },
      release: () => this.#shares.giveBack(holder, own),
    });
  }

  /** A spool for archives. The free bytes of the disk limit it, instead of the limit for batches. */
  forArchives(): Spool {
    return new Spool({ ...this.#options, maxBytes: Infinity });
  }

  async #take(holder: Holder, bytes: number): Promise<void> {
    await this.#measureDisk(bytes);
    requireAdmitted(this.#shares.take(holder, bytes));
  }

  async #measureDisk(bytes: number): Promise<void> {
    const now = performance.now();
    this.#untilLookUp -= bytes;
    if (now < this.#lookUpAt && this.#untilLookUp > 0) return;
    this.#lookUpAt = now + LOOKUP_COUNTS_MS;
    this.#untilLookUp = LOOKUP_COUNTS_BYTES;
    const { maxBytes, reserveBytes, lookUp = freeBytesOf } = this.#options;
    try {
      const usable = Math.max(0, (await lookUp(this.#folder)) - reserveBytes);
      this.#shares.capacity = Math.min(maxBytes, this.#shares.held + usable);
    } catch (cause) {
      throw spoolFull(cause);
    }
  }
}

/** @throws HttpError overloaded, store_unavailable */
function requireAdmitted(admission: Admission): void {
  if (admission === 'over_share') throw tooManyBatches();
  if (admission === 'full') throw spoolFull();
}

function tooManyBatches(): HttpError {
  const detail = 'Too many of your batches are being received; try again later.';
  return new HttpError('overloaded', detail, { headers: { 'Retry-After': '1' } });
}
