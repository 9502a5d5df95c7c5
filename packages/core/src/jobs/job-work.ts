import type { JobProgress, JobType } from './job.ts';
import type { ClaimedItem, ItemEnd } from './job-item.ts';
import type { JobWriter, WorkStep } from './job-store.ts';

/** The last step of a use case's transaction. It receives the result of the use case. */
export type EndingStep<Result> = (
  transaction: { readonly jobs: Pick<JobWriter, 'endItem'> },
  result: Result,
) => Promise<void>;

export interface JobTools {
  /** Aborts when the process stops, the claim is lost, or a job of a type in `COUNTED_BY_WORK` is cancelled. */
  readonly signal: AbortSignal;
  /** Stores the job's counters, for the job types in `COUNTED_BY_WORK`. */
  readonly report: (progress: JobProgress) => Promise<void>;
  /**
   * Requires that this process still has the item; for transactions before the last one, which `settle` checks. A
   * process that was suspended may have lost the item to another process, and must write nothing more.
   */
  readonly check: (transaction: { readonly jobs: Pick<JobWriter, 'requireHeld'> }) => Promise<void>;
  /**
   * Stores how far the work has got, in the transaction that writes the effect, for the job types in `COUNTED_BY_WORK`. A
   * process that takes the item over continues from there.
   */
  readonly advance: (
    transaction: { readonly jobs: Pick<JobWriter, 'advance'> },
    step: WorkStep,
  ) => Promise<void>;
  /**
   * Creates the last step of the transaction that writes the item's effect. The step ends the item with the outcome
   * that `present` returns.
   */
  readonly settle: <Result>(present: (result: Result) => ItemEnd) => EndingStep<Result>;
  /** Ends an item in a transaction of its own, for work without a transaction. */
  readonly end: (end: ItemEnd) => Promise<void>;
}

/**
 * Processes an item and ends it by one of the tools. A DomainError fails the item. The item is retried instead if the
 * error means that a dependency is unavailable.
 *
 * @throws DomainError; ClaimLost from the tools; the signal's reason on abort
 */
export type JobWork<T extends JobType = JobType> = (
  item: ClaimedItem<T>,
  tools: JobTools,
) => Promise<void>;

/** The functions for the job types that a process runs. */
export type JobWorks = { readonly [T in JobType]?: JobWork<T> };
