import { StoreUnavailable } from '@sightline/core/store/store-errors';

/** The memory that one import may use. */
export interface ImportShare extends Disposable {
  /** @throws StoreUnavailable while other imports use too much; the job is retried later */
  reserve(bytes: number): void;
}

/**
 * Limits the memory of imports that run at the same time. Each has a share of its own, so that small imports need
 * not wait hours for a large one. An import that runs alone may exceed its share: the API refused archives that are
 * too large for that.
 */
export class ImportMemory {
  readonly #shareBytes: number;
  #held = 0;

  /** @param shareBytes the memory that each import may use, whatever the others use */
  constructor(shareBytes: number) {
    this.#shareBytes = shareBytes;
  }

  open(): ImportShare {
    let own = 0;
    return {
      reserve: (bytes) => {
        const isAlone = this.#held === own;
        if (!isAlone && own + bytes > this.#shareBytes) {
          throw new StoreUnavailable('Other imports use the memory for archives.');
        }
        own += bytes;
        this.#held += bytes;
      },
      [Symbol.dispose]: () => {
        this.#held -= own;
        own = 0;
      },
    };
  }
}
