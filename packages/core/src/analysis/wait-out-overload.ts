import { setTimeout as sleep } from 'node:timers/promises';
import { InferenceOverloaded } from '../models/model-errors.ts';

const MOST_ATTEMPTS = 10;

/**
 * Retries work while inference is overloaded, after the delay that inference names. Batches and jobs use this, because
 * their images must not fail because of other requests. The buffer of an image stays usable after InferenceOverloaded,
 * so the work can send it again.
 *
 * @throws InferenceOverloaded after ten attempts; the errors of the work; an AbortError on abort
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
