import type { Job, JobProgress, JobType, NewJob } from './job.ts';

/**
 * Jobs of all environments. A running job is held by a lease of 25 seconds; after that, another
 * process may take the job over. Throws StoreUnavailable.
 */
export interface JobStore {
  create(job: NewJob): Promise<Job>;
  /** Claims the oldest job of these types that is pending or whose lease expired; null without one. */
  claim(types: readonly JobType[]): Promise<ClaimedJob | null>;
  /** Stores the progress and renews the lease; false if another process has taken the job over. */
  report(job: ClaimedJob, progress: JobProgress): Promise<boolean>;
  /**
   * Ends the job, writes its event and ends the backlog that waited for it, in one transaction; false
   * if another process has taken it over.
   */
  finish(job: ClaimedJob, end: JobProgress & Pick<Job, 'error'>): Promise<boolean>;
  /** Jobs that are pending or running, oldest first. */
  unfinished(types: readonly JobType[]): Promise<readonly Job[]>;
}

/** A job that this process runs. */
export type ClaimedJob<T extends JobType = JobType> = Job<T> & {
  /** Of this claim. */
  readonly token: string;
};
