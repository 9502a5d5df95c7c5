import { runNextJob, type JobDeps } from '@sightline/core/jobs/run-next-job';
import type { BackgroundTask } from '../background-task.ts';

/** Runs jobs one at a time, including those that another process left unfinished. */
export function runJobsTask(deps: JobDeps): BackgroundTask {
  return {
    name: 'run_jobs',
    everyMs: 2_000,
    run: async (signal) => ({ more: await runNextJob(deps, signal) }),
  };
}
