import type { LeaseStore } from '@sightline/core/maintenance/lease-store';
import { ALL_DONE, type BackgroundTask } from './background-task.ts';
import { Lease } from './lease.ts';

/** How much of the rest between two runs a lease lasts, so that its holder finds it free again. */
const SHARE = 0.8;

export interface SharedChore extends BackgroundTask {
  /** Lets another process do it at once. */
  release(): Promise<void>;
}

/**
 * Has a chore for all processes done by one of them in each rest between runs. It has to bear being
 * done by several at once: the lease saves work, and a process that pauses may outlast it.
 */
export function onceForAll(
  task: BackgroundTask,
  { leases, holder }: { readonly leases: LeaseStore; readonly holder: string },
): SharedChore {
  const seconds = (task.everyMs / 1000) * SHARE;
  const lease = new Lease({ leases, holder, name: `task:${task.name}`, seconds });
  return {
    ...task,
    run: async (signal) => ((await lease.hold()) ? task.run(signal) : ALL_DONE),
    release: () => lease.release(),
  };
}
