import { InferenceUnavailable } from '@sightline/core/models/model-errors';
import type { Logger } from '@sightline/platform/logging/logger';

/**
 * Logs the causes of failed inference in one batch, because the results of the images do not contain the causes. Each
 * cause is logged once, because one cause, such as a crash, may fail many images.
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
