import type { Page } from '../store/page.ts';
import type { Job, JobType, NewJob } from './job.ts';
import type { EndedItem, ItemClaim, ItemEnd } from './job-item.ts';

/** The jobs of an environment. */
export interface JobReader {
  /** Newest first, of ids below `before`. */
  list(page: { readonly before: number | null; readonly limit: number }): Promise<Page<Job>>;
  byId(id: number): Promise<Job | null>;
  /** The job that downloads or verifies a model, unless it was cancelled; null if there is none. */
  unfinishedDownload(modelId: number): Promise<Job | null>;
  /**
   * Continues if the environment may have another unfinished job.
   *
   * @throws TooManyJobs
   */
  requireRoom(): Promise<void>;
  /** Items that have ended, in their order, of indexes above `after`. */
  endedItems(
    id: number,
    page: { readonly after: number; readonly limit: number },
  ): Promise<readonly EndedItem[]>;
}

export interface JobWriter {
  /**
   * Creates a job with its items. A job without items has ended, and is announced.
   *
   * @throws TooManyJobs
   */
  create<T extends JobType>(job: NewJob<T>): Promise<Job<T>>;
  /**
   * Continues if the claim holds its item, and keeps it so until the end of the transaction.
   *
   * @throws ClaimLost if another process has taken the item over
   */
  requireHeld(claim: ItemClaim): Promise<void>;
  /**
   * Ends an item, as the last step of the transaction of its effect. The counters of the job move with
   * it, and the last item ends and announces the job.
   *
   * @throws ClaimLost if another process has taken the item over: the transaction must not commit then
   */
  endItem(claim: ItemClaim, end: ItemEnd): Promise<void>;
  /**
   * Fails the items that no worker has begun. Items in progress run to their end, and the job ends
   * with the last of them. Answers the job, and media keys of files that no row refers to any more.
   *
   * @throws NotFound, JobFinished
   */
  cancel(id: number): Promise<{ readonly job: Job; readonly files: readonly string[] }>;
  /**
   * Removes a job that has ended, and its results; answers media keys of files that no row refers to any
   * more.
   *
   * @throws NotFound, JobUnfinished
   */
  remove(id: number): Promise<{ readonly files: readonly string[] }>;
}
