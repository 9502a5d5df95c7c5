import { compareIndex } from '@sightline/core/vectors/compare-index';
import type { IndexDeps } from '@sightline/core/vectors/index-changes';
import type { Logger } from '@sightline/platform/logging/logger';
import { ALL_DONE, type BackgroundTask } from '../../tasks/background-task.ts';
import type { Indexer } from '../indexer.ts';
import type { WorkerObserver } from '../worker-observer.ts';

export interface CompareIndexDeps extends IndexDeps {
  readonly indexer: Pick<Indexer, 'keeps' | 'catchUp'>;
  readonly observer: Pick<WorkerObserver, 'indexCompared'>;
  readonly logger: Logger;
}

const HOUR_MS = 3_600_000;

/** Repairs differences between database and index: once when this process starts to maintain the index, then hourly. */
export function compareIndexTask(deps: CompareIndexDeps): BackgroundTask {
  const { indexer, observer, logger } = deps;
  let next = 0;
  return {
    name: 'compare_index',
    everyMs: 1_000,
    run: async (signal) => {
      if (!indexer.keeps()) next = 0;
      if (!indexer.keeps() || performance.now() < next) return ALL_DONE;
      const drift = await compareIndex(deps, () => indexer.catchUp(signal), signal);
      // The result is invalid if this process stopped maintaining the index during the comparison.
      if (!indexer.keeps()) return ALL_DONE;
      next = performance.now() + HOUR_MS;
      await deps.changeLog.compared(drift);
      observer.indexCompared(drift);
      const found = drift.missing + drift.extra + drift.stale;
      if (found > 0)
        logger.warn(drift, 'the vector index differed from the database and was repaired');
      return ALL_DONE;
    },
  };
}
