import type { Job, JobProgress, JobType } from './job.ts';

/**
 * Jobs of all environments. A running job is held by a lease of 25 seconds; when that runs out,
 * another process may take the job over. Throws StoreUnavailable.
 */
export interface JobStore {
  create(job: Pick<Job, 'environmentId' | 'type' | 'params' | 'total'>): Promise<Job>;
  /** Takes the oldest job of these types that is pending or whose lease ran out; null if none is. */
  claim(types: readonly JobType[]): Promise<ClaimedJob | null>;
  /** Keeps the progress and renews the lease; false if another process has taken the job over. */
  report(job: ClaimedJob, progress: JobProgress): Promise<boolean>;
  /** Ends the job and announces `job.done`; false if another process has taken it over. */
  finish(job: ClaimedJob, end: JobProgress & Pick<Job, 'error'>): Promise<boolean>;
  /** Jobs that are pending or running. */
  unfinished(types: readonly JobType[]): Promise<readonly Job[]>;
}

export interface ClaimedJob extends Job {
  /** Of this claim. */
  readonly token: string;
}
