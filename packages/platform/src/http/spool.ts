import { tmpdir } from 'node:os';
import { FairShares, type Holder } from '../resilience/fair-shares.ts';
import { freeBytesOf } from '../resilience/free-bytes.ts';
import { HttpError } from './http-errors.ts';
import { SpoolFile } from './spool-file.ts';
import { spoolFull } from './spool-full.ts';

/** How much may be written, and for how long in ms, until the free bytes are looked up again. */
const LOOKUP_COUNTS_BYTES = 16 * 1024 ** 2;
const LOOKUP_COUNTS_MS = 250;

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
 * The temporary files for the bodies of batches. Each environment and each key has a share of the
 * bytes that they may take: of the limit, or of what the disk has left, if that is less.
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
   * Opens a file, whose appends fail as soon as the holder has its share (`overloaded`), and when the
   * spool or its disk is full (`store_unavailable`).
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

  async #take(holder: Holder, bytes: number): Promise<void> {
    await this.#measureDisk(bytes);
    const admission = this.#shares.take(holder, bytes);
    if (admission === 'over_share') throw tooManyBatches();
    if (admission === 'full') throw spoolFull();
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

function tooManyBatches(): HttpError {
  const detail = 'Too many of your batches are being received; try again later.';
  return new HttpError('overloaded', detail, { headers: { 'Retry-After': '1' } });
}
