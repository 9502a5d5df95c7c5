import type { IndexStatusStore } from '@sightline/core/vectors/index-status';
import { ALL_DONE, type BackgroundTask } from '../../tasks/background-task.ts';

/**
 * A process that was killed leaves its reader registered. The shared reader is kept for a week: until
 * then, a worker can continue without filling the index again.
 */
const UNSEEN_SECONDS = { own: 60, shared: 7 * 24 * 3600 };

/** Removes readers of indexes that no longer exist, so that no changes are recorded for them. */
export function forgetReadersTask(
  indexStatus: Pick<IndexStatusStore, 'forgetReaders'>,
): BackgroundTask {
  return {
    name: 'forget_readers',
    everyMs: 30_000,
    run: async (signal) => {
      await indexStatus.forgetReaders(UNSEEN_SECONDS, signal);
      return ALL_DONE;
    },
  };
}
