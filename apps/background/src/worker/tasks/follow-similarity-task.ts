import { setTimeout as sleep } from 'node:timers/promises';
import type { BackgroundTask } from '../../tasks/background-task.ts';
import type { SimilarityKeeper } from '../similarity-keeper.ts';

/** The pause after a turn while the process is busy, as a multiple of the turn, with its least and longest length in ms. */
const PAUSE = 16;
const LEAST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 3_000;

/**
 * Keeps suggestions, groups of strangers and mismatches up to date.
 *
 * @param isBusy whether this process answers requests or analyzes images; a turn then has the changes of several images,
 *   because each turn costs dozens of statements
 */
export function followSimilarityTask(
  keeper: Pick<SimilarityKeeper, 'next'>,
  isBusy: () => boolean = () => false,
): BackgroundTask {
  return {
    name: 'follow_similarity',
    everyMs: 500,
    gatherMs: 250,
    run: async (signal) => {
      const start = performance.now();
      const more = await keeper.next(signal);
      if (more && isBusy()) {
        const pause = PAUSE * (performance.now() - start);
        const pauseMs = Math.min(Math.max(pause, LEAST_PAUSE_MS), LONGEST_PAUSE_MS);
        await sleep(pauseMs, undefined, { signal });
      }
      return { more };
    },
  };
}
