import type { BackgroundTask } from '../background-task.ts';
import type { Indexer } from '../indexer.ts';

/** Applies pending changes to the index, so that searches have few of them to read from the database. */
export function indexChangesTask(indexer: Indexer): BackgroundTask {
  return {
    name: 'index_changes',
    everyMs: 500,
    run: async (signal) => ({ more: await indexer.next(signal) }),
  };
}
