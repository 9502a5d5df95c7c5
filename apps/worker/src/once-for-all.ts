import { Lease, whileHeld } from '@sightline/core/leases/lease';
import type { LeaseStore } from '@sightline/core/leases/lease-store';
import { ALL_DONE, type BackgroundTask } from './background-task.ts';

/** Between two looks at the lease of a chore that rests for longer. */
const LONGEST_BEAT_MS = 10_000;
/** Of a lease: one beat that fails, or comes late, costs nothing. */
const BEATS = 3;

export interface SharedChore extends BackgroundTask {
  /** Lets another process do it at once. */
  release(): Promise<void>;
}

/**
 * Has a chore for all processes done by one of them, which prolongs its lease also while it rests and
 * while it works: another one goes on at most 40 s after a kill, and begins with a run. It has to bear
 * being done by several at once: the lease saves work, and a process that pauses may outlast it.
 */
export function onceForAll(
  task: BackgroundTask,
  { leases, holder }: { readonly leases: LeaseStore; readonly holder: string },
): SharedChore {
  const beatMs = Math.min(task.everyMs, LONGEST_BEAT_MS);
  const seconds = (beatMs / 1000) * BEATS;
  const lease = new Lease({ leases, holder, name: `task:${task.name}`, seconds });
  // Beats vary a little: one that comes early is not too early.
  const restMs = task.everyMs - beatMs / 2;
  let next = 0;
  return {
    ...task,
    everyMs: beatMs,
    run: async (signal) => {
      const isHeld = await lease.hold();
      // What another process did meanwhile is not known here.
      if (!isHeld) next = 0;
      if (!isHeld || performance.now() < next) return ALL_DONE;
      const done = await whileHeld(lease, beatMs, () => task.run(signal));
      if (!done.more) next = performance.now() + restMs;
      return done;
    },
    release: () => lease.release(),
  };
}
