import { indexChanges, type IndexDeps } from '@sightline/core/vectors/index-changes';

/** The one writer of an index: batches of changes come to it one after the other. */
export class Indexer {
  readonly #deps: IndexDeps;
  #last: Promise<unknown> = Promise.resolve();

  constructor(deps: IndexDeps) {
    this.#deps = deps;
  }

  /** Brings a batch of changes to the index; answers whether more may wait. */
  next(signal: AbortSignal): Promise<boolean> {
    const batch = this.#last.then(() => indexChanges(this.#deps, signal));
    this.#last = batch.catch(() => undefined);
    return batch;
  }

  /** Brings everything to the index that was noted until now. */
  async catchUp(signal: AbortSignal): Promise<void> {
    while (await this.next(signal));
  }
}
