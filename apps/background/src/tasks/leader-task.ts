import { Lease } from '@sightline/core/leases/lease';
import type { LeaseStore } from '@sightline/core/leases/lease-store';
import { withHeartbeat } from '@sightline/core/leases/with-heartbeat';
import { ALL_DONE, type BackgroundTask } from './background-task.ts';

/** The longest time between two renewals of a lease, in ms. */
const LONGEST_HEARTBEAT_MS = 10_000;
/** The number of renewals within the duration of a lease, so that a failed or late renewal does not lose the lease. */
const RENEWALS = 3;

export interface LeaderTask extends BackgroundTask {
  /** Gives the lease back, so that another process can take over at once. */
  release(): Promise<void>;
}

/**
 * Runs a task in one process at a time. The leader renews its lease between and during runs. After a crash, another
 * process takes over within 40 s and runs the task at once. The task must tolerate two runs at the same time, because a
 * process that was paused may run the task although another process has become the leader.
 */
export function leaderTask(
  task: BackgroundTask,
  { leases, holder }: { readonly leases: LeaseStore; readonly holder: string },
): LeaderTask {
  const everyMs = Math.min(task.everyMs, LONGEST_HEARTBEAT_MS);
  const seconds = (everyMs / 1000) * RENEWALS;
  const lease = new Lease({ leases, holder, name: `task:${task.name}`, seconds });
  const renew = () => lease.hold();
  // `run` is called every `everyMs`, a little earlier or later. The rest is half a heartbeat shorter than the
  // interval of the task, so that a call that comes a little early runs the task, too. Otherwise the task would wait
  // for the next call.
  const restMs = task.everyMs - everyMs / 2;
  let next = 0;
  return {
    ...task,
    everyMs,
    run: async (signal) => {
      const isHeld = await lease.hold();
      // A process that becomes the leader runs the task at once, because it does not know when the previous leader
      // ran it.
      if (!isHeld) next = 0;
      if (!isHeld || performance.now() < next) return ALL_DONE;
      const done = await withHeartbeat({ everyMs, renew }, () => task.run(signal));
      if (!done.more) next = performance.now() + restMs;
      return done;
    },
    release: () => lease.release(),
  };
}
