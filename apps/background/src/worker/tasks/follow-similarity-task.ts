import type { BackgroundTask } from '../../tasks/background-task.ts';
import type { SimilarityKeeper } from '../similarity-keeper.ts';

/** Keeps suggestions, groups of strangers and mismatches up to date. */
export function followSimilarityTask(keeper: Pick<SimilarityKeeper, 'next'>): BackgroundTask {
  return {
    name: 'follow_similarity',
    everyMs: 500,
    gatherMs: 250,
    run: async (signal) => ({ more: await keeper.next(signal) }),
  };
}
