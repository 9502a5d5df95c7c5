import type { BackgroundTask } from '../background-task.ts';
import type { Indexer } from '../indexer.ts';

/** Keeps the tail of faces and references that the index does not know yet short. */
export function indexChangesTask(indexer: Indexer): BackgroundTask {
  return {
    name: 'index_changes',
    everyMs: 500,
    run: async (signal) => ({ more: await indexer.next(signal) }),
  };
}
