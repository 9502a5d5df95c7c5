import { setTimeout as sleep } from 'node:timers/promises';
import { InferenceOverloaded } from '@sightline/core/models/model-errors';

const MOST_ATTEMPTS = 10;

/**
 * Does work that inference may be too busy for, and comes back when it says so. For batches: their
 * caller waits anyway, and would otherwise lose images to the load that others make.
 *
 * @throws InferenceOverloaded after ten attempts; the errors of the work; an AbortError on abort.
 */
export async function waitOutOverload<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof InferenceOverloaded) || attempt === MOST_ATTEMPTS) throw error;
      await sleep(error.retryAfterSeconds * 1000, undefined, { signal });
    }
  }
}
