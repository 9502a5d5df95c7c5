import type { BackgroundTask } from '../../tasks/background-task.ts';
import type { Indexer } from '../indexer.ts';

/**
 * How long wakes are gathered before a run, in ms, because each run costs a transaction. The delay does not change
 * results, because matching reads changes from the database until the index has them.
 */
const GATHER_MS = 250;

/** Applies pending changes to the index, so that searches read few changes from the database. */
export function indexChangesTask(indexer: Indexer): BackgroundTask {
  return {
    name: 'index_changes',
    everyMs: 500,
    gatherMs: GATHER_MS,
    run: async (signal) => ({ more: await indexer.next(signal) }),
  };
}
