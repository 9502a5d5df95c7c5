import type { BackgroundTask } from '../../tasks/background-task.ts';
import type { Indexer } from '../indexer.ts';

/**
 * Each run is a commit. While a job writes image after image, the index need not follow each of them:
 * matching also reads what the index does not have yet.
 */
const GATHER_MS = 250;

/** Applies pending changes to the index, so that searches have few of them to read from the database. */
export function indexChangesTask(indexer: Indexer): BackgroundTask {
  return {
    name: 'index_changes',
    everyMs: 500,
    gatherMs: GATHER_MS,
    run: async (signal) => ({ more: await indexer.next(signal) }),
  };
}
