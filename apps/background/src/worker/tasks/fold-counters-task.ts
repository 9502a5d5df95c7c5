import type { MaintenanceStore } from '@sightline/core/maintenance/maintenance-store';
import { ALL_DONE, type BackgroundTask } from '../../tasks/background-task.ts';

/** Merges the delta rows of counters, which are summed when a count is read. */
export function foldCountersTask(
  maintenance: Pick<MaintenanceStore, 'foldCounters'>,
): BackgroundTask {
  return {
    name: 'fold_counters',
    everyMs: 10_000,
    run: async (signal) => {
      await maintenance.foldCounters(signal);
      return ALL_DONE;
    },
  };
}
