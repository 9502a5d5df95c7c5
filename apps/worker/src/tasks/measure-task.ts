import type { MaintenanceStore } from '@sightline/core/maintenance/maintenance-store';
import type { ChangeLog } from '@sightline/core/vectors/change-log';
import type { IndexStatusStore } from '@sightline/core/vectors/index-status';
import { ALL_DONE, type BackgroundTask } from '../background-task.ts';
import type { WorkerObserver } from '../worker-observer.ts';

export interface MeasureDeps {
  readonly changeLog: Pick<ChangeLog, 'reader'>;
  readonly indexStatus: Pick<IndexStatusStore, 'readers'>;
  readonly maintenance: Pick<MaintenanceStore, 'outboxState'>;
  readonly observer: Pick<WorkerObserver, 'indexMeasured' | 'outboxState'>;
}

/** Measures the index and the outbox, for the metrics. */
export function measureTask(deps: MeasureDeps): BackgroundTask {
  const { changeLog, indexStatus, maintenance, observer } = deps;
  return {
    name: 'measure',
    everyMs: 30_000,
    run: async (signal) => {
      const readers = await indexStatus.readers(signal);
      const own = readers.find(({ name }) => name === changeLog.reader);
      observer.indexMeasured(own ?? null);
      observer.outboxState(await maintenance.outboxState(signal));
      return ALL_DONE;
    },
  };
}
