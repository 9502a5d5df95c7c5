import type { SimilarityQueue } from '@sightline/core/similarity/similarity-queue';
import { ALL_DONE, type BackgroundTask } from '../../tasks/background-task.ts';

/** Removes what only readers of old trees needed. */
export function pruneSimilarityTask(queue: Pick<SimilarityQueue, 'prune'>): BackgroundTask {
  return {
    name: 'prune_similarity',
    everyMs: 300_000,
    run: async (signal) => {
      await queue.prune(signal);
      return ALL_DONE;
    },
  };
}
