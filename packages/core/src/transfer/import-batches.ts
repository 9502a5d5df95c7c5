import type { Database, DeferredWrites } from '../database/database.ts';
import type { JobProgress } from '../jobs/job.ts';

export interface ImportBatchesOptions {
  readonly tally: { readonly progress: JobProgress };
  /** Called with the progress up to the end of each batch, after the batch is on the disk. */
  readonly report: ((progress: JobProgress) => Promise<void>) | undefined;
  readonly now?: () => number;
}

/** A batch ends after this number of images, or with the first image after this time in ms. */
const MOST = { images: 256, ms: 500 };

/**
 * The images of an import that are flushed to the disk together. Nothing about an image is reported before its batch has
 * ended. After a crash the import is repeated, and stores the images of a lost batch again.
 */
export class ImportBatches {
  readonly #deferred: DeferredWrites;
  readonly #options: ImportBatchesOptions;
  readonly #now: () => number;
  #images = 0;
  #isEnding = false;
  #began: number;

  constructor(deferred: DeferredWrites, options: ImportBatchesOptions) {
    this.#deferred = deferred;
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#began = this.#now();
  }

  /** A database whose writes belong to the batch. */
  writing(database: Database): Database {
    return {
      withScope: (scope, read, signal) => database.withScope(scope, read, signal),
      withEntities: (scope, write, signal) => this.#deferred.withEntities(scope, write, signal),
      deferred: () => database.deferred(),
      ready: (signal) => database.ready(signal),
    };
  }

  /**
   * Called after each image.
   *
   * @throws StoreUnavailable if images of the batch may be lost; the errors of `report`
   */
  async endIfFull(): Promise<void> {
    this.#images += 1;
    // The images that other callers store during the flush belong to the next batch.
    if (this.#isEnding) return;
    const isFull = this.#images >= MOST.images || this.#now() - this.#began >= MOST.ms;
    if (isFull) await this.end();
  }

  /** @throws like {@link endIfFull} */
  async end(): Promise<void> {
    this.#isEnding = true;
    this.#images = 0;
    const { tally, report } = this.#options;
    const { progress } = tally;
    await this.#deferred.flush();
    await report?.(progress);
    this.#began = this.#now();
    this.#isEnding = false;
  }

  /** Ends the last batch of an import that failed. */
  async abandon(): Promise<void> {
    await this.#deferred.flush().catch(() => undefined);
  }
}
