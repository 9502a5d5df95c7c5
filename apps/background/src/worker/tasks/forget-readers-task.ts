import type { IndexStatusStore } from '@sightline/core/vectors/index-status';
import { ALL_DONE, type BackgroundTask } from '../../tasks/background-task.ts';

/**
 * How long a reader stays registered without a heartbeat, in seconds. A reader with an index in memory (`own`) is
 * useless after its process was killed. A worker that starts within a week can continue to maintain the `shared`
 * index without filling it again.
 */
const UNSEEN_SECONDS = { own: 60, shared: 7 * 24 * 3600 };

/** Removes the readers of indexes that no longer exist, because the database records changes for each reader. */
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
