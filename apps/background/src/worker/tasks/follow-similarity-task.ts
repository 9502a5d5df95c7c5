import { setTimeout as sleep } from 'node:timers/promises';
import type { BackgroundTask } from '../../tasks/background-task.ts';
import type { SimilarityKeeper } from '../similarity-keeper.ts';

/** The pause after a turn while the process answers requests, as a multiple of the turn, and its longest in ms. */
const PAUSE = 16;
const LONGEST_PAUSE_MS = 3_000;

/**
 * Keeps suggestions, groups of strangers and mismatches up to date.
 *
 * @param isBusy whether this process answers requests; it then spends little time on this
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
        await sleep(Math.min(pause, LONGEST_PAUSE_MS), undefined, { signal });
      }
      return { more };
    },
  };
}
