import type { FetchProgress, PublishedFile } from '@sightline/core/models/model-source';
import type { FileProgress } from './download-file.ts';

/** Adds up the progress of a model's files. */
export class ModelProgress {
  readonly #files: FileProgress[];
  readonly #onProgress: (progress: FetchProgress) => void;
  #received = 0;
  #total = 0;

  constructor(
    files: readonly Pick<PublishedFile, 'bytes'>[],
    onProgress: (progress: FetchProgress) => void,
  ) {
    this.#files = files.map(({ bytes }) => ({ received: 0, total: bytes }));
    this.#onProgress = onProgress;
  }

  /** Reports the sum. Bytes that are received again after a failure do not count twice. */
  report(at: number, progress: FileProgress): void {
    this.#files[at] = progress;
    const received = this.#files.reduce((sum, each) => sum + each.received, 0);
    const isKnown = this.#files.every(({ total }) => total !== null);
    const total = this.#files.reduce((sum, each) => sum + (each.total ?? 0), 0);
    this.#received = Math.max(this.#received, received);
    this.#total = Math.max(this.#total, total, this.#received);
    this.#onProgress({ received: this.#received, total: isKnown ? this.#total : null });
  }
}
