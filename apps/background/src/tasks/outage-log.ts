import { isOutage } from '@sightline/core/jobs/is-outage';
import { errorCodes } from '@sightline/platform/errors/error-codes';
import type { Logger } from '@sightline/platform/logging/logger';

/**
 * Logs the failures of a process's tasks. While a store is unavailable, many tasks fail repeatedly. The log then has one
 * line when the outage starts, and one when the last task has succeeded again. Other failures are defects, and each one
 * is logged.
 */
export class OutageLog {
  readonly #logger: Logger;
  /** The tasks that wait for the end of an outage, by the code of its error. */
  readonly #waiting = new Map<string, Set<string>>();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  failed(task: string, error: unknown): void {
    const outage = outageOf(error);
    this.#endWaiting(task, outage);
    if (outage === null) {
      this.#logger.error({ err: error, task }, 'a background task failed');
      return;
    }
    const about = { task, cause: errorCodes(error) };
    const waiting = this.#waiting.get(outage) ?? new Set();
    if (waiting.size === 0)
      this.#logger.warn(about, 'background tasks are waiting for an unavailable store or service');
    else this.#logger.debug(about, 'another background task waits for the end of the outage');
    this.#waiting.set(outage, waiting.add(task));
  }

  succeeded(task: string): void {
    this.#endWaiting(task, null);
  }

  /** @param outage the code of the outage for whose end the task still waits; null if the task waits for none */
  #endWaiting(task: string, outage: string | null): void {
    for (const [code, waiting] of this.#waiting) {
      if (code === outage || !waiting.delete(task) || waiting.size > 0) continue;
      this.#waiting.delete(code);
      this.#logger.info({ code }, 'background tasks continue after an outage');
    }
  }
}

function outageOf(error: unknown): string | null {
  return isOutage(error) ? error.code : null;
}
