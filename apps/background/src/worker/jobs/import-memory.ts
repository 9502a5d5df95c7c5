import { StoreUnavailable } from '@sightline/core/store/store-errors';

export interface ImportShare extends Disposable {
  /** @throws StoreUnavailable while other imports use too much; the job is retried later */
  reserve(bytes: number): void;
}

/**
 * Limits the memory of imports that run at the same time. Each import has a share, so that small imports do not wait
 * hours for a large one. An import that runs alone may exceed its share, because the API has refused archives that are
 * too large for the process.
 */
export class ImportMemory {
  readonly #shareBytes: number;
  #held = 0;

  /** @param shareBytes the memory that each import may use, even while other imports run */
  constructor(shareBytes: number) {
    this.#shareBytes = shareBytes;
  }

  open(): ImportShare {
    let own = 0;
    return {
      reserve: (bytes) => {
        const isAlone = this.#held === own;
        if (!isAlone && own + bytes > this.#shareBytes) {
          throw new StoreUnavailable(
            'Other imports use all the memory for archives; this import will be retried.',
          );
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
