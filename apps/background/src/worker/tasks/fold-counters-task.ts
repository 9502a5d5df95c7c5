import type { MaintenanceStore } from '@sightline/core/maintenance/maintenance-store';
import { ALL_DONE, type BackgroundTask } from '../../tasks/background-task.ts';

/** Merges the delta rows of each counter into one row, so that reading a count sums few rows. */
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
