import type { JobDeps } from '@sightline/core/jobs/run-next-job';
import type { MaintenanceStore } from '@sightline/core/maintenance/maintenance-store';
import type { MediaStore } from '@sightline/core/media/media-store';
import type { IndexDeps } from '@sightline/core/vectors/index-changes';
import type { Role } from '@sightline/platform/lifecycle/role';
import type { Logger } from '@sightline/platform/logging/logger';
import type { BackgroundTask } from './background-task.ts';
import { Indexer } from './indexer.ts';
import { TaskLoop } from './task-loop.ts';
import { collectOrphansTask } from './tasks/collect-orphans-task.ts';
import { compareIndexTask } from './tasks/compare-index-task.ts';
import { foldCountersTask } from './tasks/fold-counters-task.ts';
import { indexChangesTask } from './tasks/index-changes-task.ts';
import { measureTask } from './tasks/measure-task.ts';
import { pruneTask } from './tasks/prune-task.ts';
import { runJobsTask } from './tasks/run-jobs-task.ts';
import type { WorkerObserver } from './worker-observer.ts';

export interface WorkerRoleDeps extends IndexDeps, Pick<JobDeps, 'jobs' | 'work'> {
  readonly maintenance: MaintenanceStore;
  readonly media: MediaStore;
  /** Age from which a file without row is an orphan, in ms. */
  readonly orphanGraceMs: number;
  readonly logger: Logger;
  readonly observer: WorkerObserver;
}

export interface WorkerRole extends Role {
  /** Brings what was just written to the index now, not in a moment. */
  nudge(): void;
}

/** What happens in the background: one loop per task. */
export function createWorkerRole(deps: WorkerRoleDeps): WorkerRole {
  const { maintenance, jobs, work, logger, observer } = deps;
  const indexer = new Indexer(deps);
  const loopOf = (task: BackgroundTask) =>
    new TaskLoop(task, { logger, taskFailed: (name) => observer.taskFailed(name) });
  const indexing = loopOf(indexChangesTask(indexer));
  const loops = [
    indexing,
    ...[
      compareIndexTask({ ...deps, indexer }),
      foldCountersTask(maintenance),
      pruneTask(maintenance),
      collectOrphansTask(deps),
      measureTask(deps),
      runJobsTask({ jobs, work, progressed: (type, now) => observer.jobProgressed(type, now) }),
    ].map(loopOf),
  ];
  let runs = false;
  return {
    name: 'worker',
    nudge: () => indexing.nudge(),
    start(signal) {
      signal.throwIfAborted();
      for (const loop of loops) loop.start();
      runs = true;
      return Promise.resolve();
    },
    ready: () => Promise.resolve(runs),
    async [Symbol.asyncDispose]() {
      runs = false;
      await Promise.all(loops.map((loop) => loop[Symbol.asyncDispose]()));
    },
  };
}
