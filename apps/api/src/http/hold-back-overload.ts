import { setTimeout as sleep } from 'node:timers/promises';
import { InferenceOverloaded } from '@sightline/core/models/model-errors';
import { HttpError } from '@sightline/platform/http/http-errors';

/**
 * How long a refusal for lack of room is held back, in ms. A client that retries at once, against
 * Retry-After, is slowed down at the cost of a timer; below the least Retry-After of 1 s no other
 * client loses anything.
 */
const HELD_BACK_MS = 250;

/** Passes the errors of the work on, and those of overload a moment later. */
export async function holdBackOverload(
  work: () => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (isOverload(error)) await sleep(HELD_BACK_MS, undefined, { signal });
    throw error;
  }
}

function isOverload(error: unknown): boolean {
  if (error instanceof HttpError) return error.code === 'overloaded';
  return error instanceof InferenceOverloaded;
}
