import type { IndexStatusStore } from '@sightline/core/vectors/index-status';
import { ALL_DONE, type BackgroundTask } from '../background-task.ts';

/**
 * A process that was killed does not take its reader away. The shared reader comes back with the next
 * worker, without having to fill the index anew, unless nobody has kept it for a week.
 */
const UNSEEN_SECONDS = { own: 60, shared: 7 * 24 * 3600 };

/** Keeps changes from being noted for indexes that are gone. */
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
