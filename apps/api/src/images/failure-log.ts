import { InferenceUnavailable } from '@sightline/core/models/model-errors';
import type { Logger } from '@sightline/platform/logging/logger';

/**
 * Logs why inference failed for images of one batch, each cause once: many images may fail for one
 * reason, such as a crash of a worker, and their results only say that a retry may help.
 */
export class FailureLog {
  readonly #logger: Logger;
  readonly #causes = new Set<string>();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  note(error: unknown): void {
    if (!(error instanceof InferenceUnavailable)) return;
    const { cause = error } = error;
    const text = String(cause);
    if (this.#causes.has(text)) return;
    this.#causes.add(text);
    this.#logger.warn({ err: cause }, 'inference failed for an image of a batch');
  }
}
