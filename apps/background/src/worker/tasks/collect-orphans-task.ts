import { collectOrphans } from '@sightline/core/maintenance/collect-orphans';
import type { MaintenanceStore } from '@sightline/core/maintenance/maintenance-store';
import type { MediaStore } from '@sightline/core/media/media-store';
import { ALL_DONE, type BackgroundTask } from '../../tasks/background-task.ts';
import type { WorkerObserver } from '../worker-observer.ts';

export interface CollectOrphansDeps {
  readonly media: MediaStore;
  readonly maintenance: Pick<MaintenanceStore, 'orphans'>;
  readonly observer: Pick<WorkerObserver, 'orphansCollected'>;
  /** The age in ms from which a file without a row is an orphan. */
  readonly orphanGraceMs: number;
}

/** Removes files without a row, which exist because a process crashed before it wrote the row. */
export function collectOrphansTask(deps: CollectOrphansDeps): BackgroundTask {
  return {
    name: 'collect_orphans',
    everyMs: 3_600_000,
    run: async (signal) => {
      deps.observer.orphansCollected(await collectOrphans(deps, deps.orphanGraceMs, signal));
      return ALL_DONE;
    },
  };
}
