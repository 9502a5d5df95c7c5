import { Lease } from '@sightline/core/leases/lease';
import type { LeaseStore } from '@sightline/core/leases/lease-store';
import { withHeartbeat } from '@sightline/core/leases/with-heartbeat';
import { ALL_DONE, type BackgroundTask } from './background-task.ts';

/** The longest time between two renewals, in ms. */
const LONGEST_HEARTBEAT_MS = 10_000;
/** Renewals per lease: one that fails or comes late does not lose it. */
const RENEWALS = 3;

export interface LeaderTask extends BackgroundTask {
  /** Gives the lease back, so that another process can take over at once. */
  release(): Promise<void>;
}

/**
 * Runs a task in one process at a time. The holder renews the lease between and during runs; after a
 * crash another process takes over within 40 s and starts with a run. The lease only saves work: a
 * process that was paused may run the task beside the new holder, so the task has to tolerate that.
 */
export function leaderTask(
  task: BackgroundTask,
  { leases, holder }: { readonly leases: LeaseStore; readonly holder: string },
): LeaderTask {
  const everyMs = Math.min(task.everyMs, LONGEST_HEARTBEAT_MS);
  const seconds = (everyMs / 1000) * RENEWALS;
  const lease = new Lease({ leases, holder, name: `task:${task.name}`, seconds });
  const renew = () => lease.hold();
  // Half a heartbeat less, because the loop varies its pauses: a check that comes early still runs.
  const restMs = task.everyMs - everyMs / 2;
  let next = 0;
  return {
    ...task,
    everyMs,
    run: async (signal) => {
      const isHeld = await lease.hold();
      // This process does not know when another one ran the task last.
      if (!isHeld) next = 0;
      if (!isHeld || performance.now() < next) return ALL_DONE;
      const done = await withHeartbeat({ everyMs, renew }, () => task.run(signal));
      if (!done.more) next = performance.now() + restMs;
      return done;
    },
    release: () => lease.release(),
  };
}
