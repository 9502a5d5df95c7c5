import type { MaintenanceStore } from '@sightline/core/maintenance/maintenance-store';
import type { ChangeLog } from '@sightline/core/vectors/change-log';
import { ALL_DONE, type BackgroundTask } from '../background-task.ts';
import type { WorkerObserver } from '../worker-observer.ts';

export interface MeasureDeps {
  readonly changeLog: Pick<ChangeLog, 'backlog'>;
  readonly maintenance: Pick<MaintenanceStore, 'outboxState'>;
  readonly observer: Pick<WorkerObserver, 'indexBacklog' | 'outboxState'>;
}

/** Looks at how much work waits, for the metrics. */
export function measureTask({ changeLog, maintenance, observer }: MeasureDeps): BackgroundTask {
  return {
    name: 'measure',
    everyMs: 60_000,
    run: async (signal) => {
      observer.indexBacklog(await changeLog.backlog(signal));
      observer.outboxState(await maintenance.outboxState(signal));
      return ALL_DONE;
    },
  };
}
