import { setTimeout as sleep } from 'node:timers/promises';
import { InferenceOverloaded } from '@sightline/core/models/model-errors';

const MOST_ATTEMPTS = 10;

/**
 * Retries work while inference is overloaded, after the delay that inference names. For batches: the
 * client waits anyway, and its images must not fail because of the load of other requests.
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
