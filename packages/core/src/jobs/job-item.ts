import type { ItemFailure, ItemInputs, Job, JobProgress, JobType } from './job.ts';

/** The right to work on an item. It ends when another process takes over the item. */
export interface ItemClaim {
  readonly environmentId: number;
  readonly jobId: number;
  /** The position of the item in its job, from 0. */
  readonly index: number;
  readonly token: string;
}

export type ClaimedItem<T extends JobType = JobType> = {
  readonly [Type in T]: {
    readonly claim: ItemClaim;
    readonly job: Job<Type>;
    readonly input: ItemInputs[Type];
    readonly uploadKey: string | null;
    /** The number of processes and worker threads that died while they worked on this item alone. */
    readonly deaths: number;
  };
}[T];

export type ItemEnd = {
  /** The result, as the API returns it. */
  readonly result?: unknown;
  /** The final counters of the job, for the job types in `COUNTED_BY_WORK`. */
  readonly progress?: JobProgress;
  /** The media key of the job's result file. */
  readonly resultsKey?: string;
} & (
  | { readonly error?: undefined }
  /** The failure of the item. A job of a type in `COUNTED_BY_WORK` fails with its item. */
  | { readonly error: ItemFailure }
);

export interface EndedItem {
  readonly index: number;
  readonly input: ItemInputs[JobType];
  /** Null if the item has no result. */
  readonly result: unknown;
  /** Null unless the item failed. */
  readonly error: ItemFailure | null;
}

export type ItemState = 'pending' | 'running' | 'done' | 'failed';

/** An item in any state. It has no result or error before its end. */
export interface ListedItem extends EndedItem {
  readonly state: ItemState;
  readonly finishedAt: Date | null;
}
