import { StoreUnavailable } from '@sightline/core/store/store-errors';

/** What the imports of one process hold of memory. */
export interface ImportShare extends Disposable {
  /** @throws StoreUnavailable while others hold too much: the job waits then */
  reserve(bytes: number): void;
}

/**
 * Limits the memory of imports that run at the same time. Each has a share for itself, so that none waits for the
 * hours that a large one takes. More has one that is alone: what would be too much was refused when it was handed in.
 */
export class ImportMemory {
  readonly #shareBytes: number;
  #held = 0;

  /** @param shareBytes that each import may hold, whatever the others do */
  constructor(shareBytes: number) {
    this.#shareBytes = shareBytes;
  }

  open(): ImportShare {
    let own = 0;
    return {
      reserve: (bytes) => {
        const isAlone = this.#held === own;
        if (!isAlone && own + bytes > this.#shareBytes) {
          throw new StoreUnavailable('Other imports take the memory for archives.');
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
