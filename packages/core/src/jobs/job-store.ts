import type { Job, JobProgress, JobType, NewJob } from './job.ts';

/**
 * Jobs of all environments. A running job is held by a lease of 25 seconds; when that runs out,
 * another process may take the job over. Throws StoreUnavailable.
 */
export interface JobStore {
  create(job: NewJob): Promise<Job>;
  /** Takes the oldest job of these types that is pending or whose lease ran out; null if none is. */
  claim(types: readonly JobType[]): Promise<ClaimedJob | null>;
  /** Keeps the progress and renews the lease; false if another process has taken the job over. */
  report(job: ClaimedJob, progress: JobProgress): Promise<boolean>;
  /**
   * Ends the job with its event and, in the same transaction, what waits for its end; false if
   * another process has taken it over.
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
