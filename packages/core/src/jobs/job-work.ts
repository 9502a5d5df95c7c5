import type { JobProgress, JobType } from './job.ts';
import type { ClaimedItem, ItemEnd } from './job-item.ts';
import type { JobWriter } from './job-store.ts';

/** The last step of a use case's transaction, which gets the use case's result. */
export type EndingStep<Result> = (
  transaction: { readonly jobs: Pick<JobWriter, 'endItem'> },
  result: Result,
) => Promise<void>;

export interface JobTools {
  /** Aborted when the process stops, the item is lost, or a job that is counted by its work is cancelled. */
  readonly signal: AbortSignal;
  /** Stores the counters of a job that is counted by its work. */
  readonly report: (progress: JobProgress) => Promise<void>;
  /**
   * A step for each transaction of an item that has several: a process that was paused and has lost
   * the item writes nothing more.
   */
  readonly check: (transaction: { readonly jobs: Pick<JobWriter, 'requireHeld'> }) => Promise<void>;
  /**
   * Makes the last step of the transaction of the item's effect: it ends the item with what
   * `present` answers.
   */
  readonly settle: <Result>(present: (result: Result) => ItemEnd) => EndingStep<Result>;
  /** Ends an item in a transaction of its own, if its effect has none. */
  readonly end: (end: ItemEnd) => Promise<void>;
}

/**
 * Works on an item and ends it by one of the tools. A DomainError fails the item, unless it says
 * that a dependency is unavailable: then the item is retried.
 *
 * @throws DomainError; ClaimLost from the tools; the signal's reason on abort
 */
export type JobWork<T extends JobType = JobType> = (
  item: ClaimedItem<T>,
  tools: JobTools,
) => Promise<void>;

/** The work of the types that a process runs. */
export type JobWorks = { readonly [T in JobType]?: JobWork<T> };
