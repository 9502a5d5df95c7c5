import type { MaintenanceStore } from '@sightline/core/maintenance/maintenance-store';
import type { IndexSource } from '@sightline/core/vectors/index-source';
import { ALL_DONE, type BackgroundTask } from '../background-task.ts';
import type { WorkerObserver } from '../worker-observer.ts';

export interface MeasureDeps {
  readonly source: Pick<IndexSource, 'backlog'>;
  readonly maintenance: Pick<MaintenanceStore, 'outboxState'>;
  readonly observer: Pick<WorkerObserver, 'indexBacklog' | 'outboxState'>;
}

/** Looks at how much work waits, for the metrics. */
export function measureTask({ source, maintenance, observer }: MeasureDeps): BackgroundTask {
  return {
    name: 'measure',
    everyMs: 60_000,
    run: async (signal) => {
      observer.indexBacklog(await source.backlog(signal));
      observer.outboxState(await maintenance.outboxState(signal));
      return ALL_DONE;
    },
  };
}
