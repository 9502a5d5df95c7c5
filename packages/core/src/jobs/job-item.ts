import type { ItemFailure, ItemInputs, Job, JobProgress, JobType } from './job.ts';

/** The right to work on an item, until another process takes it over. */
export interface ItemClaim {
  readonly environmentId: number;
  readonly jobId: number;
  /** The position of the item in its job, from 0. */
  readonly index: number;
  readonly token: string;
}

/** An item that this process works on. */
export type ClaimedItem<T extends JobType = JobType> = {
  readonly [Type in T]: {
    readonly claim: ItemClaim;
    readonly job: Job<Type>;
    readonly input: ItemInputs[Type];
    readonly uploadKey: string | null;
    /** How many processes or worker threads have died while they worked on it. */
    readonly deaths: number;
  };
}[T];

/** How the work on an item ended. */
export type ItemEnd = {
  /** The result in the form in which the API answers it. */
  readonly result?: unknown;
  /** The final counters of a job that is counted by its work. */
  readonly progress?: JobProgress;
  /** The media key of a file that is the result of the job. */
  readonly resultsKey?: string;
} & (
  | { readonly error?: undefined }
  /** A job that is counted by its work fails with its item. */
  | { readonly error: ItemFailure }
);

/** An item that has ended. */
export interface EndedItem {
  readonly index: number;
  readonly input: ItemInputs[JobType];
  /** Null if there is none. */
  readonly result: unknown;
  /** Null if it did not fail. */
  readonly error: ItemFailure | null;
}
