import { randomUUID } from 'node:crypto';
import type { JobDeps } from '@sightline/core/jobs/run-next-job';
import { type HeldLease, Lease } from '@sightline/core/leases/lease';
import type { LeaseStore } from '@sightline/core/leases/lease-store';
import type { MaintenanceStore } from '@sightline/core/maintenance/maintenance-store';
import type { MediaStore } from '@sightline/core/media/media-store';
import type { FollowModelsDeps } from '@sightline/core/reembedding/follow-models';
import { SHARED_READER } from '@sightline/core/vectors/change-log';
import type { IndexDeps } from '@sightline/core/vectors/index-changes';
import type { IndexStatusStore } from '@sightline/core/vectors/index-status';
import type { Role } from '@sightline/platform/lifecycle/role';
import type { Logger } from '@sightline/platform/logging/logger';
import type { BackgroundTask } from './background-task.ts';
import { Indexer } from './indexer.ts';
import { onceForAll } from './once-for-all.ts';
import { TaskLoop } from './task-loop.ts';
import { collectOrphansTask } from './tasks/collect-orphans-task.ts';
import { compareIndexTask } from './tasks/compare-index-task.ts';
import { foldCountersTask } from './tasks/fold-counters-task.ts';
import { followModelsTask } from './tasks/follow-models-task.ts';
import { forgetReadersTask } from './tasks/forget-readers-task.ts';
import { indexChangesTask } from './tasks/index-changes-task.ts';
import { measureTask } from './tasks/measure-task.ts';
import { pruneTask } from './tasks/prune-task.ts';
import { runJobsTask } from './tasks/run-jobs-task.ts';
import type { WorkerObserver } from './worker-observer.ts';

export interface WorkerRoleDeps extends IndexDeps, Pick<JobDeps, 'jobs' | 'work'> {
  readonly indexStatus: IndexStatusStore;
  readonly leases: LeaseStore;
  readonly maintenance: MaintenanceStore;
  readonly media: MediaStore;
  /** Where models run in processes of their own, which are exchanged while this one runs. */
  readonly followModels?: FollowModelsDeps;
  /** Age from which a file without row is an orphan, in ms. */
  readonly orphanGraceMs: number;
  readonly logger: Logger;
  readonly observer: WorkerObserver;
}

export interface WorkerRole extends Role {
  /** Brings what was just written to the index now, not in a moment. */
  wake(): void;
}

/** Four beats, so that one that fails costs nothing; another process goes on 25 s after a kill. */
const LEASE_SECONDS = 20;
/** Of an index that no other process could keep. */
const UNDISPUTED: HeldLease = {
  hold: () => Promise.resolve(true),
  release: () => Promise.resolve(),
};

/**
 * What happens in the background: one loop per task. Several processes may have this role: one of
 * them keeps an index that all share, chores are done by one in turn, and jobs go to whoever is free.
 * An index of this process alone is filled before the role has started.
 */
export function createWorkerRole(deps: WorkerRoleDeps): WorkerRole {
  const { maintenance, indexStatus, changeLog, jobs, work, logger, observer } = deps;
  const process = { leases: deps.leases, holder: randomUUID() };
  const ownsIndex = changeLog.reader !== SHARED_READER;
  const name = `index:${changeLog.reader}`;
  const lease = ownsIndex ? UNDISPUTED : new Lease({ ...process, name, seconds: LEASE_SECONDS });
  const indexer = new Indexer({ ...deps, lease });
  const loopOf = (task: BackgroundTask) =>
    new TaskLoop(task, { logger, taskFailed: (name) => observer.taskFailed(name) });
  const chores = [
    foldCountersTask(maintenance),
    pruneTask(maintenance),
    forgetReadersTask(indexStatus),
    collectOrphansTask(deps),
    ...(deps.followModels ? [followModelsTask({ ...deps.followModels, logger })] : []),
  ].map((chore) => onceForAll(chore, process));
  const indexing = loopOf(indexChangesTask(indexer));
  const loops = [
    indexing,
    ...[
      ...chores,
      compareIndexTask({ ...deps, indexer }),
      measureTask(deps),
      runJobsTask({ jobs, work, progressed: (type, now) => observer.jobProgressed(type, now) }),
    ].map(loopOf),
  ];
  let runs = false;
  return {
    name: 'worker',
    wake: () => indexing.wake(),
    async start(signal) {
      signal.throwIfAborted();
      if (ownsIndex) await indexer.fill(signal);
      for (const loop of loops) loop.start();
      runs = true;
    },
    ready: () => Promise.resolve(runs),
    async [Symbol.asyncDispose]() {
      runs = false;
      await Promise.all(loops.map((loop) => loop[Symbol.asyncDispose]()));
      // If the database does not answer, all of this ends by itself in a minute.
      const released = [lease, ...chores].map((held) => held.release());
      if (ownsIndex) released.push(changeLog.leave().catch(() => undefined));
      await Promise.all(released);
    },
  };
}
