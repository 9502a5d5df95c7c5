import { compareIndex } from '@sightline/core/vectors/compare-index';
import type { IndexDeps } from '@sightline/core/vectors/index-changes';
import type { Logger } from '@sightline/platform/logging/logger';
import { ALL_DONE, type BackgroundTask } from '../background-task.ts';
import type { Indexer } from '../indexer.ts';
import type { WorkerObserver } from '../worker-observer.ts';

export interface CompareIndexDeps extends IndexDeps {
  readonly indexer: Indexer;
  readonly observer: Pick<WorkerObserver, 'indexDrift'>;
  readonly logger: Logger;
}

/** Drives the drift between database and index to zero. */
export function compareIndexTask(deps: CompareIndexDeps): BackgroundTask {
  const { indexer, observer, logger } = deps;
  return {
    name: 'compare_index',
    everyMs: 3_600_000,
    run: async (signal) => {
      const drift = await compareIndex(deps, () => indexer.catchUp(signal), signal);
      observer.indexDrift(drift);
      const found = drift.missing + drift.extra + drift.stale;
      if (found > 0) logger.warn(drift, 'the index differed from the database and is repaired');
      await indexer.catchUp(signal);
      return ALL_DONE;
    },
  };
}
