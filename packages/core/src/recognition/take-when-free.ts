import { setTimeout as sleep } from 'node:timers/promises';
import { InferenceOverloaded } from '../models/model-errors.ts';
import type { TakeMemory } from '../sources/image-memory.ts';

const POLL_MS = 250;
/** How long an image of a batch waits for memory, in ms. The other images of its caller need some seconds each. */
const LONGEST_WAIT_MS = 120_000;

/**
 * Takes memory as soon as it is free.
 *
 * @throws InferenceOverloaded after two minutes; an AbortError on abort
 */
export async function takeWhenFree(
  take: TakeMemory,
  bytes: number,
  signal: AbortSignal,
): Promise<void> {
  const end = performance.now() + LONGEST_WAIT_MS;
  for (;;) {
    try {
      take(bytes);
      return;
    } catch (error) {
      if (!(error instanceof InferenceOverloaded) || performance.now() > end) throw error;
    }
    await sleep(POLL_MS, undefined, { signal });
  }
}
