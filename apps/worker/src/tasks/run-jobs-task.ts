import { runNextJob, type JobDeps } from '@sightline/core/jobs/run-next-job';
import type { BackgroundTask } from '../background-task.ts';

/** Runs jobs one after the other, those too that a process left behind when it ended. */
export function runJobsTask(deps: JobDeps): BackgroundTask {
  return {
    name: 'run_jobs',
    everyMs: 2_000,
    run: async (signal) => ({ more: await runNextJob(deps, signal) }),
  };
}
