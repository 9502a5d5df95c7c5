import type { MaintenanceStore } from '@sightline/core/maintenance/maintenance-store';
import { ALL_DONE, type BackgroundTask } from '../background-task.ts';

const HOUR_MS = 3_600_000;
const OUTBOX_HOURS = 7 * 24;
const IDEMPOTENCY_HOURS = 24;

/** Deletes old events and the answers of old idempotency keys. */
export function pruneTask(
  maintenance: Pick<MaintenanceStore, 'pruneOutbox' | 'pruneIdempotencyKeys'>,
): BackgroundTask {
  return {
    name: 'prune',
    everyMs: HOUR_MS,
    run: async (signal) => {
      await maintenance.pruneOutbox(OUTBOX_HOURS, signal);
      await maintenance.pruneIdempotencyKeys(IDEMPOTENCY_HOURS, signal);
      return ALL_DONE;
    },
  };
}
